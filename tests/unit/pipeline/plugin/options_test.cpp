#include "pipeline/plugin/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "pipeline/base/errors.hpp"
#include "pipeline/plugin/option_text.hpp"

namespace sluice {
namespace {

using testing::HasSubstr;

std::string error_of(const Result<std::int64_t>& result) {
  return result ? "no error" : result.error().message();
}
std::string refusal(const OptionSpec& spec, const OptionValue& value) {
  const auto result = check_option(spec, value);
  return result ? "no error" : result.error().message();
}

TEST(ParseDuration, KnowsEveryUnit) {
  EXPECT_EQ(*parse_duration("250ms"), 250);
  EXPECT_EQ(*parse_duration("5s"), 5000);
  EXPECT_EQ(*parse_duration("5min"), 300'000);
  EXPECT_EQ(*parse_duration("2h"), 7'200'000);
  EXPECT_EQ(*parse_duration("7d"), 604'800'000);
  EXPECT_EQ(*parse_duration("0s"), 0);
}

TEST(ParseDuration, RefusesWhatHasNoOneMeaning) {
  for (const char* text : {"", "s", "5", "5 s", " 5s", "5s ", "+5s", "1.5s", "5m", "5S", "5sec",
                           "0x5s", "5e3s", "five s", "5s5s"}) {
    const auto result = parse_duration(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code(), ErrorCode::kInvalid);
    EXPECT_THAT(result.error().message(), HasSubstr("such as \"5s\"")) << text;
  }
  EXPECT_THAT(error_of(parse_duration("5")), HasSubstr("lacks a unit"));
  EXPECT_THAT(error_of(parse_duration("-5s")), HasSubstr("is negative"));
}

TEST(ParseDuration, RefusesWhatDoesNotFit) {
  EXPECT_EQ(*parse_duration("9223372036854775807ms"), 9223372036854775807);
  EXPECT_THAT(error_of(parse_duration("9223372036854775808ms")), HasSubstr("too large"));
  EXPECT_EQ(*parse_duration("106751991167d"), 9223372036828800000);
  EXPECT_THAT(error_of(parse_duration("106751991168d")), HasSubstr("too large"));
}

TEST(ParseDuration, EscapesWhatItQuotes) {
  const std::string hostile{"5\x1b[2J\0s", 7};
  EXPECT_THAT(error_of(parse_duration(hostile)), HasSubstr("\"5\\x1b[2J\\x00s\""));
}

TEST(ParseSize, KnowsEveryUnit) {
  EXPECT_EQ(*parse_size("512B"), 512);
  EXPECT_EQ(*parse_size("64KiB"), 65536);
  EXPECT_EQ(*parse_size("16MiB"), 16 << 20);
  EXPECT_EQ(*parse_size("1GiB"), 1 << 30);
  EXPECT_THAT(error_of(parse_size("8MB")), HasSubstr("64KiB"));
  EXPECT_THAT(error_of(parse_size("8589934592GiB")), HasSubstr("too large"));
}

TEST(FormatAmounts, GivesBackWhatWasParsed) {
  for (const char* text : {"0s", "250ms", "1500ms", "5s", "5min", "90min", "2h", "7d"}) {
    EXPECT_EQ(format_duration(*parse_duration(text)), text);
  }
  for (const char* text : {"0B", "1B", "64KiB", "1025KiB", "16MiB", "3GiB"}) {
    EXPECT_EQ(format_size(*parse_size(text)), text);
  }
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(10'000'000), "10000000");
  EXPECT_EQ(format_number(-3), "-3");
}

constexpr OptionSpec kLimit{.name = "limit",
                            .type = OptionType::kNumber,
                            .help = "the limit",
                            .minimum = 0,
                            .maximum = 100,
                            .unit = "cm"};

TEST(CheckOption, WidensWholeNumbers) {
  const auto value = check_option(kLimit, std::int64_t{10});
  ASSERT_TRUE(value);
  EXPECT_EQ(std::get<double>(*value), 10.0);
}

TEST(CheckOption, DoesNotNarrowNumbers) {
  constexpr OptionSpec spec{.name = "count", .type = OptionType::kInteger, .help = "how many"};
  EXPECT_EQ(refusal(spec, 3.0), "'count' must be a whole number, not 3");
}

TEST(CheckOption, HoldsBothEndsOfTheRange) {
  EXPECT_TRUE(check_option(kLimit, 0.0));
  EXPECT_TRUE(check_option(kLimit, 100.0));
  EXPECT_EQ(refusal(kLimit, -0.5), "'limit' must be from 0 to 100 (cm), not -0.5");
  EXPECT_EQ(refusal(kLimit, std::int64_t{101}), "'limit' must be from 0 to 100 (cm), not 101");
}

TEST(CheckOption, RefusesNumbersThatAreNone) {
  EXPECT_THAT(refusal(kLimit, std::nan("")), HasSubstr("finite"));
  EXPECT_THAT(refusal(kLimit, std::numeric_limits<double>::infinity()), HasSubstr("finite"));
}

TEST(CheckOption, NamesTheRangeOfDurationsWithUnits) {
  constexpr OptionSpec spec{.name = "every",
                            .type = OptionType::kDuration,
                            .help = "how often",
                            .minimum = 1000,
                            .maximum = 3'600'000};
  EXPECT_EQ(std::get<std::int64_t>(*check_option(spec, std::string{"1h"})), 3'600'000);
  EXPECT_EQ(refusal(spec, std::string{"2h"}), "'every' must be from 1s to 1h, not \"2h\"");
  EXPECT_THAT(refusal(spec, std::int64_t{5}), HasSubstr("a duration such as"));
  EXPECT_THAT(refusal(spec, std::string{"5"}), HasSubstr("'every': \"5\" lacks a unit"));
}

TEST(CheckOption, ListsTheChoices) {
  constexpr OptionSpec spec{
      .name = "sync", .type = OptionType::kText, .help = "when", .choices = "alert|each"};
  EXPECT_TRUE(check_option(spec, std::string{"each"}));
  EXPECT_EQ(refusal(spec, std::string{"eac"}),
            "'sync' must be one of \"alert\", \"each\", not \"eac\"");
  EXPECT_FALSE(check_option(spec, std::string{"alert|each"}));
  EXPECT_FALSE(check_option(spec, std::string{}));
}

TEST(CheckOption, RefusesNulInTexts) {
  constexpr OptionSpec spec{.name = "topic", .type = OptionType::kText, .help = "where"};
  constexpr OptionSpec list{.name = "topics", .type = OptionType::kTextList, .help = "where"};
  const std::string hostile{"a\0b", 3};
  EXPECT_THAT(refusal(spec, hostile), HasSubstr("NUL"));
  EXPECT_THAT(refusal(list, std::vector<std::string>{"a", hostile}), HasSubstr("NUL"));
}

TEST(CheckOption, RefusesEveryWrongType) {
  const std::array values{OptionValue{true}, OptionValue{std::int64_t{1}}, OptionValue{1.5},
                          OptionValue{std::string{"x"}},
                          OptionValue{std::vector<std::string>{"x"}}};
  const auto accepted = [&](OptionType type) {
    std::string out;
    const OptionSpec spec{.name = "o", .type = type, .help = "h"};
    for (const OptionValue& value : values) out += check_option(spec, value) ? '1' : '0';
    return out;
  };
  EXPECT_EQ(accepted(OptionType::kBoolean), "10000");
  EXPECT_EQ(accepted(OptionType::kInteger), "01000");
  EXPECT_EQ(accepted(OptionType::kNumber), "01100");
  EXPECT_EQ(accepted(OptionType::kText), "00010");
  EXPECT_EQ(accepted(OptionType::kTextList), "00001");
  EXPECT_EQ(accepted(OptionType::kDuration), "00000");
  EXPECT_EQ(accepted(OptionType::kSize), "00000");
}

TEST(Options, TakeFallbacksOfEveryType) {
  constexpr std::array specs{
      OptionSpec{.name = "text", .type = OptionType::kText, .help = "h", .fallback = "a, b"},
      OptionSpec{.name = "whole", .type = OptionType::kInteger, .help = "h", .fallback = "-7"},
      OptionSpec{.name = "number", .type = OptionType::kNumber, .help = "h", .fallback = "0.5"},
      OptionSpec{.name = "flag", .type = OptionType::kBoolean, .help = "h", .fallback = "true"},
      OptionSpec{.name = "time", .type = OptionType::kDuration, .help = "h", .fallback = "5s"},
      OptionSpec{.name = "size", .type = OptionType::kSize, .help = "h", .fallback = "1KiB"},
      OptionSpec{.name = "list", .type = OptionType::kTextList, .help = "h", .fallback = "a, b"},
      OptionSpec{.name = "unset", .type = OptionType::kNumber, .help = "h"},
  };
  const Options options = Options::fallbacks(specs);
  EXPECT_EQ(options.text("text"), "a, b");
  EXPECT_EQ(options.integer("whole"), -7);
  EXPECT_EQ(options.number("number"), 0.5);
  EXPECT_TRUE(options.boolean("flag"));
  EXPECT_EQ(options.duration("time"), Duration{5000});
  EXPECT_EQ(options.integer("size"), 1024);
  EXPECT_EQ(options.texts("list"), (std::vector<std::string>{"a", "b"}));
  EXPECT_FALSE(options.has("unset"));
}

TEST(Options, ThrowForFallbacksThatTheirTableRefuses) {
  const auto make = [](OptionType type, std::string_view fallback) {
    const std::array specs{
        OptionSpec{.name = "o", .type = type, .help = "h", .fallback = fallback, .maximum = 5}};
    return Options::fallbacks(specs);
  };
  EXPECT_THROW(make(OptionType::kInteger, "6"), InvalidArgument);
  EXPECT_THROW(make(OptionType::kInteger, "5x"), InvalidArgument);
  EXPECT_THROW(make(OptionType::kNumber, "nan"), InvalidArgument);
  EXPECT_THROW(make(OptionType::kBoolean, "yes"), InvalidArgument);
  EXPECT_THROW(make(OptionType::kDuration, "5"), InvalidArgument);
}

TEST(Options, ThrowForQuestionsThatNoTableAnswers) {
  Options options;
  options.set("limit", 3.0);
  EXPECT_THROW(static_cast<void>(options.number("limi")), InvalidArgument);
  EXPECT_THROW(static_cast<void>(options.integer("limit")), InvalidArgument);
  options.set("limit", 4.0);
  EXPECT_EQ(options.number("limit"), 4.0);
}

std::string table_fault(const OptionSpec& spec) {
  static constexpr std::array<std::string_view, 1> kReserved{"name"};
  const auto status = check_option_table(std::span{&spec, 1}, kReserved);
  return status ? "no error" : status.error().message();
}

TEST(CheckOptionTable, TakesASoundOne) {
  EXPECT_EQ(table_fault({.name = "limit_2", .type = OptionType::kNumber, .help = "how much"}),
            "no error");
  EXPECT_EQ(
      table_fault({.name = "size", .type = OptionType::kDuration, .help = "x", .fallback = "1h"}),
      "no error");
}

TEST(CheckOptionTable, NamesTheRowAndWhatIsWrongWithIt) {
  EXPECT_THAT(table_fault({.name = "", .type = OptionType::kText, .help = "x"}),
              HasSubstr("must be named"));
  EXPECT_THAT(table_fault({.name = "a b", .type = OptionType::kText, .help = "x"}),
              HasSubstr("option 'a b' must be named with a-z, 0-9 and _"));
  EXPECT_THAT(table_fault({.name = "name", .type = OptionType::kText, .help = "x"}),
              HasSubstr("option 'name' is there already"));
  EXPECT_THAT(table_fault({.name = "a", .type = static_cast<OptionType>(99), .help = "x"}),
              HasSubstr("of no type that there is"));
  EXPECT_THAT(
      table_fault(
          {.name = "a", .type = OptionType::kNumber, .help = "x", .minimum = 2, .maximum = 1}),
      HasSubstr("minimum above its maximum"));
  EXPECT_THAT(
      table_fault(
          {.name = "a", .type = OptionType::kText, .help = "x", .fallback = "x", .required = true}),
      HasSubstr("only be one of both"));
  EXPECT_THAT(
      table_fault({.name = "a", .type = OptionType::kDuration, .help = "x", .fallback = "1 hour"}),
      HasSubstr("option 'a' refuses its own fallback: 'a': \"1 hour\""));
  EXPECT_THAT(
      table_fault(
          {.name = "a", .type = OptionType::kText, .help = "x", .fallback = "c", .choices = "a|b"}),
      HasSubstr("refuses its own fallback"));
}

TEST(CheckOptionTable, WantsEachNameOnce) {
  constexpr std::array kTwice{OptionSpec{.name = "a", .type = OptionType::kText, .help = "x"},
                              OptionSpec{.name = "a", .type = OptionType::kNumber, .help = "x"}};
  const auto status = check_option_table(kTwice, {});
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("option 'a' is there already"));
}

}  // namespace
}  // namespace sluice
