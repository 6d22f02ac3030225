#include "plugins/formats/selector.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr SelectorRules kJson{.format = "json", .pointers = true, .iterations = 2};
constexpr SelectorRules kCsv{.format = "csv", .columns = true};
constexpr SelectorRules kText{.format = "text", .payload = true};

Source only_part(std::string_view text, const SelectorRules& rules) {
  auto selector = parse_selector(text, rules);
  EXPECT_TRUE(selector.has_value()) << text;
  if (!selector || selector->parts.size() != 1) return {};
  return selector->parts.front();
}

std::string complaint(std::string_view text, const SelectorRules& rules) {
  auto selector = parse_selector(text, rules);
  EXPECT_FALSE(selector.has_value()) << text;
  return selector ? "" : selector.error().message();
}

TEST(Pointer, UnescapesSlashAndTildeInTheRightOrder) {
  EXPECT_THAT(parse_pointer("/a~1b/m~0n/~01").value(), ElementsAre("a/b", "m~n", "~1"));
  EXPECT_THAT(parse_pointer("").value(), IsEmpty());
  EXPECT_THAT(parse_pointer("/").value(), ElementsAre(""));
  EXPECT_THAT(parse_pointer("/ /\"\\/").value(), ElementsAre(" ", "\"\\", ""));
}

TEST(Pointer, RefusesWhatTheStandardRefuses) {
  EXPECT_FALSE(parse_pointer("a").has_value());
  EXPECT_FALSE(parse_pointer("/a~").has_value());
  EXPECT_FALSE(parse_pointer("/a~2").has_value());
  EXPECT_FALSE(parse_pointer("#/a").has_value());
}

TEST(Selector, PointersStartAtTheInnermostItemUnlessToldOtherwise) {
  EXPECT_EQ(only_part("/a", kJson).index, 2U);
  EXPECT_EQ(only_part("", kJson).index, 2U);
  EXPECT_EQ(only_part("root:/a", kJson).index, 0U);
  EXPECT_EQ(only_part("@0:/a", kJson).index, 1U);
  EXPECT_EQ(only_part("@1:", kJson).index, 2U);
  EXPECT_EQ(only_part("key", kJson).index, 2U);
  EXPECT_EQ(only_part("key:0", kJson).index, 1U);
}

TEST(Selector, ReadsTopicsConstantsColumnsAndThePayload) {
  EXPECT_EQ(only_part("topic:0", kText).kind, SourceKind::kTopic);
  EXPECT_EQ(only_part("topic:12", kCsv).index, 12U);
  EXPECT_EQ(only_part("const:", kText).text, "");
  EXPECT_EQ(only_part("const:topic:1", kText).text, "topic:1");
  EXPECT_EQ(only_part("payload", kText).kind, SourceKind::kPayload);
  EXPECT_EQ(only_part("col:3", kCsv).index, 3U);
  EXPECT_EQ(only_part("col:Water Level", kCsv).text, "Water Level");
}

TEST(Selector, TemplatesJoinTextsAndSelectors) {
  const auto selector = parse_selector("template:{topic:1}/x{/a~1b}", kJson).value();
  ASSERT_EQ(selector.parts.size(), 3U);
  EXPECT_TRUE(selector.joined);
  EXPECT_EQ(selector.parts[0].kind, SourceKind::kTopic);
  EXPECT_EQ(selector.parts[1].text, "/x");
  EXPECT_THAT(selector.parts[2].path, ElementsAre("a/b"));
}

TEST(Selector, SaysWhatWouldBeRight) {
  EXPECT_THAT(complaint("level", kJson), HasSubstr("JSON Pointer such as /level"));
  EXPECT_THAT(complaint("col:1", kJson), HasSubstr("not a selector of the format json"));
  EXPECT_THAT(complaint("/a", kText), HasSubstr("payload"));
  EXPECT_THAT(complaint("topic:", kJson), HasSubstr("topic:1"));
  EXPECT_THAT(complaint("topic:-1", kJson), HasSubstr("topic:1"));
  EXPECT_THAT(complaint("topic:99999999999999999999", kJson), HasSubstr("topic:1"));
  EXPECT_THAT(complaint("col:", kCsv), HasSubstr("col:0"));
  EXPECT_THAT(complaint("key:2", kJson), HasSubstr("`each` has 2 entries"));
  EXPECT_THAT(complaint("@2:/a", kJson), HasSubstr("`each` has 2 entries"));
  EXPECT_THAT(complaint("@x:/a", kJson), HasSubstr("@0:/a"));
  EXPECT_THAT(complaint("@0", kJson), HasSubstr("@0:/a"));
  EXPECT_THAT(complaint("root:a", kJson), HasSubstr("begins with '/'"));
  EXPECT_THAT(complaint("key", {.format = "json", .pointers = true}), HasSubstr("needs `each`"));
}

TEST(Selector, RefusesBrokenTemplates) {
  for (const std::string_view text :
       {"template:", "template:{topic:1", "template:topic:1}", "template:{{topic:1}}",
        "template:{nonsense}", "template:{template:{topic:1}}"}) {
    EXPECT_FALSE(complaint(text, kJson).empty());
  }
}

TEST(Selector, ComplaintsArePrintable) {
  EXPECT_THAT(complaint("\x1b[2J\n", kJson), HasSubstr("\\x1b[2J\\x0a"));
}

}  // namespace
}  // namespace sluice::formats
