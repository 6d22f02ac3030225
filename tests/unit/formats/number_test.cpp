#include "plugins/formats/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

namespace sluice::formats {
namespace {

void expect_number(std::string_view text, double wanted) {
  const auto read = parse_number(text);
  ASSERT_TRUE(read.number.has_value()) << text;
  EXPECT_EQ(*read.number, wanted) << text;
}

void expect_refusal(std::string_view text, RejectReason wanted) {
  const auto read = parse_number(text);
  ASSERT_FALSE(read.number.has_value()) << text << " gave " << *read.number;
  EXPECT_EQ(read.reason, wanted) << text << " gave " << to_string(read.reason);
}

TEST(Number, ReadsWhatDevicesWrite) {
  expect_number("12.5", 12.5);
  expect_number(" \t1834\r\n", 1834);
  expect_number("+3", 3);
  expect_number(".5", 0.5);
  expect_number("5.", 5);
  expect_number("0512.3020", 512.302);
  expect_number("4.12e-1", 0.412);
  expect_number("-0.541", -0.541);
}

TEST(Number, TellsWordsFromNoNumbersAndFromNothing) {
  for (const auto* text : {"nan", "NaN", "-nan", "inf", "-Inf", "+INFINITY", "1e999", "-1e999"}) {
    expect_refusal(text, RejectReason::kNotFinite);
  }
  for (const auto* text :
       {"---", "None", "null", "unavailable", "12.5 cm", "1,5", "0x10", "1e", "--1", "+-1", "-",
        "+", ".", "e5", "1.2.3", "nan(1)", "1 2", "Infinit"}) {
    expect_refusal(text, RejectReason::kNotANumber);
  }
  for (const auto* text : {"", " ", "\r\n"}) expect_refusal(text, RejectReason::kMissingLevel);
}

TEST(Number, KeepsTheEndsOfTheRange) {
  expect_number("1.7976931348623157e308", 1.7976931348623157e308);
  expect_number("1e-320", 1e-320);
  expect_number("1e-999", 0);
  expect_number("0e999", 0);
  expect_number("9007199254740993", 9007199254740992.0);
  expect_number("18446744073709551616", 18446744073709551616.0);
  EXPECT_TRUE(std::signbit(*parse_number("-0").number));
  EXPECT_TRUE(std::signbit(*parse_number("-1e-999").number));
}

TEST(Number, TellsHugeFromTinyWithoutAnExponentToo) {
  expect_refusal("1" + std::string(400, '0'), RejectReason::kNotFinite);
  expect_refusal("1" + std::string(400, '0') + "e-10", RejectReason::kNotFinite);
  expect_refusal("1e99999999999999999999", RejectReason::kNotFinite);
  expect_number("0." + std::string(400, '0') + "1", 0);
  expect_number("0." + std::string(400, '0') + "1e10", 0);
  expect_number("1e-99999999999999999999", 0);
}

TEST(Number, TakesACommaOnlyWhenAsked) {
  EXPECT_EQ(parse_number("2,32", true).number, 2.32);
  EXPECT_EQ(parse_number("-1", true).number, -1.0);
  EXPECT_FALSE(parse_number("2.32", true).number.has_value());
  EXPECT_FALSE(parse_number("1.234,5", true).number.has_value());
  EXPECT_FALSE(parse_number("1,234,5", true).number.has_value());
}

TEST(Number, AgreesWithStrtodOnRandomNumbers) {
  std::mt19937_64 random{7};
  for (int i = 0; i < 20'000; ++i) {
    std::string text = std::to_string(static_cast<std::int64_t>(random()));
    text.insert(text.size() - random() % 10, ".");
    text += "e" + std::to_string(static_cast<int>(random() % 700) - 350);
    const double wanted = std::strtod(text.c_str(), nullptr);
    const auto read = parse_number(text);
    ASSERT_EQ(read.number.has_value(), std::isfinite(wanted)) << text;
    if (read.number) {
      ASSERT_EQ(*read.number, wanted) << text;
    }
  }
}

}  // namespace
}  // namespace sluice::formats
