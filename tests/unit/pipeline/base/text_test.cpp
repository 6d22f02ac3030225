#include "pipeline/base/text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "pipeline/base/log.hpp"
#include "pipeline/base/utf8.hpp"

namespace sluice {
namespace {

using namespace std::string_view_literals;

TEST(Text, IsTrimmedAtBothEndsOnly) {
  EXPECT_EQ(trimmed(" \t\r\n\f\v a b \n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed("\0a\xC2\xA0"sv), "\0a\xC2\xA0"sv) << "only ASCII white space goes";
}

TEST(Text, GlobsMatchLikeAShellsStar) {
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("tank*", "tanklevel1"));
  EXPECT_TRUE(glob_matches("*level*", "tanklevel1"));
  EXPECT_TRUE(glob_matches("a*b*c", "aXbbXc"));
  EXPECT_FALSE(glob_matches("tank", "tank1"));
  EXPECT_FALSE(glob_matches("", "x"));
  EXPECT_FALSE(glob_matches("a*b", "abc"));
}

TEST(Text, AQuestionMarkIsOneByteOnlyIfAsked) {
  EXPECT_TRUE(glob_matches("tank?", "tank?"));
  EXPECT_FALSE(glob_matches("tank?", "tank1"));
  EXPECT_TRUE(glob_matches("tank?", "tank1", QuestionMark::kAnyByte));
  EXPECT_TRUE(glob_matches("*?", "a", QuestionMark::kAnyByte));
  EXPECT_FALSE(glob_matches("*?", "", QuestionMark::kAnyByte));
}

TEST(Text, GlobsDoNotExplode) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(5'000, 'a')));
}

TEST(Text, PlainNamesAreShortAndOfFewCharacters) {
  EXPECT_TRUE(is_plain_name("Zisterne_2.sued-west"));
  EXPECT_TRUE(is_plain_name(std::string(64, 'a')));
  EXPECT_FALSE(is_plain_name(std::string(65, 'a')));
  for (const auto bad : {""sv, "a b"sv, "a/b"sv, "s\xC3\xBC"sv, "a\0"sv}) {
    EXPECT_FALSE(is_plain_name(bad)) << printable(bad);
  }
}

TEST(Utf8, TellsTheLengthOfItsFirstCharacter) {
  EXPECT_EQ(utf8_length("a\xFF"sv), 1U);
  EXPECT_EQ(utf8_length("\0"sv), 1U);
  EXPECT_EQ(utf8_length("\xC3\xBCx"sv), 2U);
  EXPECT_EQ(utf8_length("\xE2\x82\xAC"sv), 3U);
  EXPECT_EQ(utf8_length("\xF4\x8F\xBF\xBF"sv), 4U);
  EXPECT_EQ(utf8_length(""sv), 0U);
}

TEST(Utf8, RefusesWhatIsMalformedOrCutOff) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("Zisterne Süd \xE2\x82\xAC \xF0\x9F\x8C\x8A\0"sv));
  EXPECT_TRUE(is_utf8("\xC2\x80\xED\x9F\xBF\xEE\x80\x80\xF0\x90\x80\x80"sv));
  for (const auto bad : {"\x80"sv, "\xC0\xAF"sv, "\xE0\x80\xAF"sv, "\xED\xA0\x80"sv, "\xC3"sv,
                         "\xF4\x90\x80\x80"sv, "\xF5\x80\x80\x80"sv, "\xFF"sv, "a\xE2\x82"sv,
                         "\xF0\x8F\xBF\xBF"sv, "\xC3\x28"sv, "\xE2\x82\x28"sv}) {
    EXPECT_FALSE(is_utf8(bad)) << printable(bad);
  }
}

TEST(Printable, LeavesWhatIsHarmlessInALogLine) {
  EXPECT_EQ(printable("Zisterne Süd \xE2\x82\xAC"), "Zisterne Süd \xE2\x82\xAC");
}

TEST(Printable, EscapesQuotesControlsAndWhatIsNotUtf8) {
  EXPECT_EQ(printable("a\"b\\c\n\x7F\0"sv), "a\\x22b\\x5cc\\x0a\\x7f\\x00");
  EXPECT_EQ(printable("\xC2\x9B\xC2\xA0"sv), "\\xc2\\x9b\xC2\xA0") << "C1 controls too";
  EXPECT_EQ(printable("\xE2\x82"sv), "\\xe2\\x82");
}

TEST(Printable, CutsOnACharacter) {
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(printable("abcd", 3), "abc…");
  EXPECT_EQ(printable("ab\xE2\x82\xAC!", 3), "ab\xE2\x82\xAC…");
}

TEST(Excerpt, LeavesAllAsItIs) { EXPECT_EQ(excerpt("a\"b\\c\n\xFF\0"sv), "a\"b\\c\n\xFF\0"sv); }

TEST(Excerpt, CutsOnACharacter) {
  EXPECT_EQ(excerpt("abc", 3), "abc");
  EXPECT_EQ(excerpt("abcd", 3), "abc…");
  EXPECT_EQ(excerpt("ab\xE2\x82\xAC!", 3), "ab…");
  EXPECT_EQ(excerpt("\xFF\xFF\xFF\xFF", 3), "\xFF\xFF\xFF…");
  EXPECT_EQ(excerpt(std::string(1 << 20, 'x')).size(), 80 + std::string_view{"…"}.size());
}

}  // namespace
}  // namespace sluice
