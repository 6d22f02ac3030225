#include "plugins/formats/bytes.hpp"

#include <gtest/gtest.h>

namespace sluice::formats {
namespace {

using namespace std::string_view_literals;

TEST(Bytes, DropsAccidentsAtTheEndsOnly) {
  EXPECT_EQ(without_accidents("\xEF\xBB\xBF{}\r\n\0\0"sv), "{}");
  EXPECT_EQ(without_accidents("a\0b\0"sv), "a\0b"sv);
  EXPECT_EQ(without_accidents("\0"sv), "");
  EXPECT_EQ(without_accidents(""), "");
}

TEST(Bytes, DigitsAreWholeNumbersOnly) {
  EXPECT_EQ(parse_digits<std::uint32_t>("042"), 42U);
  for (const auto* bad : {"", "-1", "+1", " 1", "1 ", "4294967296", "1.0", "x"}) {
    EXPECT_FALSE(parse_digits<std::uint32_t>(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace sluice::formats
