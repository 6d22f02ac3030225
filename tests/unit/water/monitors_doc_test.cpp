// docs/monitors.md leaves no kind and no option out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/water/water.hpp"
#include "tests/unit/water/text_file.hpp"

namespace sluice::water {

namespace {

using testing::HasSubstr;

TEST(MonitorsPage, HasARowAChapterAndAnExampleOfEachKind) {
  const std::string page = text_of("docs/monitors.md");
  for (const MonitorKind* kind : water_monitors()) {
    const std::string name{kind->name()};
    EXPECT_THAT(page, HasSubstr("\n| [`" + name + "`](#" + name + ") |"));
    EXPECT_THAT(page, HasSubstr("\n## " + name + "\n"));
    EXPECT_THAT(page, HasSubstr("\nkind = \"" + name + "\"\n"));
  }
}

TEST(MonitorsPage, NamesEachOptionWithItsFallback) {
  const std::string page = text_of("docs/monitors.md");
  for (const MonitorKind* kind : water_monitors()) {
    const auto begin = page.find("\n## " + std::string{kind->name()} + "\n");
    ASSERT_NE(begin, std::string::npos) << kind->name();
    const std::string chapter = page.substr(begin, page.find("\n## ", begin + 4) - begin);
    for (const OptionSpec& option : kind->options()) {
      const std::string fallback =
          option.fallback.empty() ? "" : "(`" + std::string{option.fallback} + "`)";
      EXPECT_THAT(chapter, HasSubstr("`" + std::string{option.name} + "`" +
                                     (fallback.empty() ? "" : " " + fallback)))
          << kind->name();
    }
  }
}

}  // namespace

}  // namespace sluice::water
