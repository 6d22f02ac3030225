#include "plugins/formats/bytes.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sluice::formats {
namespace {

using namespace std::string_view_literals;

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
