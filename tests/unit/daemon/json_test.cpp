#include "daemon/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sluice::daemon {
namespace {

TEST(Json, IsWrittenInTheOrderOfTheMembers) {
  EXPECT_EQ(to_json(Datum::Struct{{"b", 1}, {"a", Datum::List{true, Datum{}, "x"}}}),
            R"({"b":1,"a":[true,null,"x"]})");
}

TEST(Json, GivesNumbersBackExactly) {
  for (const double number : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0}) {
    const auto back = parse_json(to_json(number));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, Datum{number});
  }
  EXPECT_EQ(*parse_json("9223372036854775807"), Datum{std::int64_t{INT64_MAX}});
  EXPECT_EQ(*parse_json("9223372036854775808"), Datum{9223372036854775808.0});
}

TEST(Json, HasNoWordForWhatIsNoNumber) {
  EXPECT_EQ(to_json(std::nan("")), "null");
  EXPECT_EQ(to_json(std::numeric_limits<double>::infinity()), "null");
}

TEST(Json, HoldsBytesThatAreNoText) {
  EXPECT_EQ(to_json("a\xff"), "\"a\xef\xbf\xbd\"");
  EXPECT_EQ(to_json(std::string{"a\0b", 3}), R"("a\u0000b")");
}

TEST(Json, IsRefusedWhereItIsNone) {
  for (const char* text : {"", "high", "{", "1 2", "{\"a\":}", "NaN"}) {
    EXPECT_FALSE(parse_json(text)) << text;
  }
}

TEST(Json, IsRefusedWhereItIsDeep) {
  EXPECT_TRUE(parse_json(std::string(16, '[') + std::string(16, ']')));
  EXPECT_FALSE(parse_json(std::string(17, '[') + std::string(17, ']')));
  EXPECT_FALSE(parse_json(std::string(1'000'000, '[')));
}

TEST(Json, IsRefusedWhereAMemberComesTwice) {
  for (const char* text : {R"({"above": 4, "above": 5})", R"({"above": 4, "below": 1, "above": 4})",
                           R"({"a": {"x": 1, "x": 2}})", R"([{"x": 1}, {"x": 1, "\u0078": 2}])"}) {
    const auto result = parse_json(text);
    ASSERT_FALSE(result) << text;
    EXPECT_THAT(result.error().message(), testing::HasSubstr("is in it twice")) << text;
  }
  EXPECT_TRUE(parse_json(R"([{"x": 1}, {"x": {"x": 2}}])"));
}

TEST(Json, IsRefusedWithANulByteAnywhere) {
  using namespace std::string_literals;
  for (const std::string& text : {"5\0"s, "\0"s, "\0005"s, "5\0 six"s, "{\"a\": 1}\0"s}) {
    const auto result = parse_json(text);
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message(), testing::HasSubstr("is a NUL"));
  }
  EXPECT_EQ(*parse_json(R"("a\u0000b")"), Datum{"a\0b"s});
}

TEST(Json, IsRefusedWhereANumberFitsNoDouble) {
  for (const char* text : {"1e400", "-1e400", R"({"above": 1e999})"}) {
    const auto result = parse_json(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().message(), "a number in it is too large") << text;
  }
}

TEST(Times, AreWrittenInUtcWithMilliseconds) {
  EXPECT_EQ(format_time(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(format_time(1'723'118'400'123), "2024-08-08T12:00:00.123Z");
  EXPECT_EQ(format_time(-1), "1969-12-31T23:59:59.999Z");
}

TEST(Times, BeyondTheCalendarAreWrittenAsNumbers) {
  EXPECT_EQ(format_time(kMaxTimestamp), std::to_string(kMaxTimestamp) + "ms");
  EXPECT_EQ(format_time(kMinTimestamp), std::to_string(kMinTimestamp) + "ms");
}

}  // namespace
}  // namespace sluice::daemon
