#include "plugins/formats/bytes.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sluice::formats {
namespace {

using namespace std::string_view_literals;

TEST(Bytes, KnowsUtf8) {
  EXPECT_TRUE(is_utf8("Zisterne Süd \xE2\x82\xAC \xF0\x9F\x8C\x8A\0"sv));
  for (const auto bad : {"\x80"sv, "\xC0\xAF"sv, "\xE0\x80\xAF"sv, "\xED\xA0\x80"sv, "\xC3"sv,
                         "\xF4\x90\x80\x80"sv, "\xFF"sv, "a\xE2\x82"sv, "\xF0\x8F\xBF\xBF"sv}) {
    EXPECT_FALSE(is_utf8(bad));
  }
}

TEST(Bytes, DropsAccidentsAtTheEndsOnly) {
  EXPECT_EQ(without_accidents("\xEF\xBB\xBF{}\r\n\0\0"sv), "{}");
  EXPECT_EQ(without_accidents("a\0b\0"sv), "a\0b"sv);
  EXPECT_EQ(without_accidents("\0"sv), "");
  EXPECT_EQ(without_accidents(""), "");
}

TEST(Bytes, GlobsMatchLikeAShellsStar) {
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("tank*", "tanklevel1"));
  EXPECT_TRUE(glob_matches("*level*", "tanklevel1"));
  EXPECT_TRUE(glob_matches("a*b*c", "aXbbXc"));
  EXPECT_FALSE(glob_matches("tank", "tank1"));
  EXPECT_FALSE(glob_matches("", "x"));
  EXPECT_FALSE(glob_matches("a*b", "abc"));
  EXPECT_FALSE(glob_matches("tank?", "tank1"));
}

TEST(Bytes, GlobsDoNotExplode) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(5'000, 'a')));
}

TEST(Bytes, DigitsAreWholeNumbersOnly) {
  EXPECT_EQ(parse_digits<std::uint32_t>("042"), 42U);
  for (const auto* bad : {"", "-1", "+1", " 1", "1 ", "4294967296", "1.0", "x"}) {
    EXPECT_FALSE(parse_digits<std::uint32_t>(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace sluice::formats
