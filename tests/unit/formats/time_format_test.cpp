#include "plugins/formats/time_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::formats {
namespace {

using testing::HasSubstr;

std::optional<Timestamp> read(std::string_view spec, std::string_view text,
                              Timestamp received = 0) {
  auto format = TimeFormat::parse(spec);
  EXPECT_TRUE(format.has_value()) << format.error().message();
  return format ? format->read(Value::of_text(text), received) : std::nullopt;
}

std::string complaint(std::string_view spec) {
  const auto format = TimeFormat::parse(spec);
  EXPECT_FALSE(format.has_value()) << spec;
  return format ? "" : format.error().message();
}

Value integer(std::int64_t value) {
  Value out;
  out.kind = ValueKind::kInteger;
  out.integer = value;
  return out;
}

Value number(double value, std::string_view digits) {
  Value out;
  out.kind = ValueKind::kNumber;
  out.number = value;
  out.text = digits;
  return out;
}

TEST(Iso8601, ReadsTheFormsThatDevicesUse) {
  EXPECT_EQ(read("iso8601", "2024-02-09T06:41:17.283719546Z"), 1707460877283);
  EXPECT_EQ(read("iso8601", "2024-02-09T07:41:17.882+01:00"), 1707460877882);
  EXPECT_EQ(read("iso8601", "2022-01-16T20:48:29.30570082-05:00"), 1642384109305);
  EXPECT_EQ(read("iso8601", "2020-10-13T16:00Z"), 1602604800000);
  EXPECT_EQ(read("iso8601", "2024-02-09 06:41:17z"), 1707460877000);
  EXPECT_EQ(read("iso8601", "2024-02-09t06:41:17,5+0000"), 1707460877500);
  EXPECT_EQ(read("iso8601", "2024-02-09T06:41:17+00"), 1707460877000);
  EXPECT_EQ(read("iso8601", " 1969-12-31T23:59:59.999Z\n"), -1);
  EXPECT_EQ(read("iso8601", "2016-12-31T23:59:60Z"), 1483228800000);
  EXPECT_EQ(read("iso8601", "2024-02-29T00:00:00Z"), 1709164800000);
}

TEST(Iso8601, RefusesNonsense) {
  for (const auto* text : {"",
                           "now",
                           "2024-02-09T06:41:17",
                           "2024-02-09",
                           "2024-02-30T00:00:00Z",
                           "2023-02-29T00:00:00Z",
                           "2024-13-01T00:00:00Z",
                           "2024-00-01T00:00:00Z",
                           "2024-01-00T00:00:00Z",
                           "2024-01-01T24:00:00Z",
                           "2024-01-01T00:60:00Z",
                           "2024-01-01T00:00:61Z",
                           "2024-01-01T00:00:00.Z",
                           "2024-01-01T00:00:00Zx",
                           "2024-01-01T00:00:00+24:00",
                           "2024-01-01T00:00:00+1",
                           "2024-01-01T00:00:00+01:",
                           "0000-01-01T00:00:00Z",
                           "20240101T000000Z",
                           "-024-01-01T00:00:00Z",
                           "2024-1-1T0:0:0Z",
                           "9999-12-31T23:59:59-01:00",
                           "0001-01-01T00:00:00+01:00",
                           "2024-01-01T00:00:00 Z"}) {
    EXPECT_EQ(read("iso8601", text), std::nullopt) << text;
  }
}

TEST(Epoch, IsExactForEveryUnit) {
  EXPECT_EQ(read("epoch_s", "1708398731"), 1708398731000);
  EXPECT_EQ(read("epoch_ms", "1644394877123"), 1644394877123);
  EXPECT_EQ(read("epoch_us", "1644394877123999"), 1644394877123);
  EXPECT_EQ(read("epoch_ns", "1439856000000000001"), 1439856000000);
  EXPECT_EQ(read("epoch_ns", "-1"), -1);
  EXPECT_EQ(read("epoch_s", "1708398731.25"), 1708398731250);
  EXPECT_EQ(read("epoch_s", "1708398731.123456789"), 1708398731123);
  EXPECT_EQ(read("epoch_s", "1.708398731e9"), 1708398731000);
  const auto format = TimeFormat::parse("epoch_ns").value();
  EXPECT_EQ(format.read(integer(1439856000999999999), 0), 1439856000999);
  EXPECT_EQ(format.read(number(1.4398560009e18, "1439856000900000000.0"), 0), 1439856000900);
}

TEST(Epoch, RefusesWhatIsNoTime) {
  const auto seconds = TimeFormat::parse("epoch_s").value();
  for (const std::int64_t value : {INT64_MAX, INT64_MIN, std::int64_t{253402300800}}) {
    EXPECT_EQ(seconds.read(integer(value), 0), std::nullopt) << value;
  }
  EXPECT_EQ(seconds.read(number(HUGE_VAL, "1e999"), 0), std::nullopt);
  for (const auto* text : {"", "-", "nan", "1e300", "99999999999999999999", "17083987 31", "x1"}) {
    EXPECT_EQ(read("epoch_s", text), std::nullopt) << text;
  }
  Value value;
  for (const auto kind : {ValueKind::kMissing, ValueKind::kNull, ValueKind::kBoolean,
                          ValueKind::kList, ValueKind::kMap, ValueKind::kTwice}) {
    value.kind = kind;
    EXPECT_EQ(seconds.read(value, 0), std::nullopt);
    EXPECT_EQ(TimeFormat::parse("iso8601").value().read(value, 0), std::nullopt);
  }
}

TEST(Pattern, ReadsOtherFormsInUtcOrAZone) {
  EXPECT_EQ(read("strptime:%Y-%m-%d %H:%M UTC", "2024-02-21 00:12"), 1708474320000);
  EXPECT_EQ(read("strptime:%m/%d/%Y %H:%M:%S America/New_York", "2/19/2024 22:12:13"),
            1708398733000);
  EXPECT_EQ(read("strptime:%d %b %Y %I:%M %p UTC", "09 Feb 2024 06:41 pm"), 1707504060000);
  EXPECT_EQ(read("strptime:%d. %B %Y, %T UTC", "9. February 2024, 06:41:17"), 1707460877000);
  EXPECT_EQ(read("strptime:%F %T.%f%z", "2024-02-09 07:41:17.882+01:00"), 1707460877882);
  EXPECT_EQ(read("strptime:%Y%m%d%H%M%S UTC", "20240209064117"), 1707460877000);
  EXPECT_EQ(read("strptime:%Y-%j UTC", "2024-366"), 1735603200000);
  EXPECT_EQ(read("strptime:%d.%m.%y UTC", "09.02.24"), 1707436800000);
  EXPECT_EQ(read("strptime:%I:%M %p %F UTC", "12:05 AM 2024-02-09"), 1707437100000);
  EXPECT_EQ(TimeFormat::parse("strptime:%Y%m%d%H%M%S UTC").value().read(integer(20240209064117), 0),
            1707460877000);
}

TEST(Pattern, IsStrict) {
  for (const auto* text : {"", "2024-02-21", "2024-02-21 00:12 ", "2024-02-21 00:12x",
                           "2024-02-30 00:12", "2024-02-21 25:00", "24-02-21 00:00"}) {
    const bool only_space = std::string_view{text} == "2024-02-21 00:12 ";
    EXPECT_EQ(read("strptime:%Y-%m-%d %H:%M UTC", text).has_value(), only_space) << text;
  }
  EXPECT_EQ(read("strptime:%Y-%j UTC", "2023-366"), std::nullopt);
}

TEST(LocalTime, FollowsTheZonesRules) {
  constexpr auto kBerlin = "iso8601-local:Europe/Berlin";
  EXPECT_EQ(read(kBerlin, "2024-01-16T22:42:35"), 1705441355000);
  EXPECT_EQ(read(kBerlin, "2024-07-20T11:29:22"), 1721467762000);
  EXPECT_EQ(read(kBerlin, "2024-07-20T11:29:22Z"), 1721474962000) << "an offset in it wins";
  EXPECT_EQ(read("iso8601-local:Europe/London", "2024-02-11 08:14:33"), 1707639273000);
}

TEST(LocalTime, AnHourThatComesTwiceIsTheOneThatHasBegun) {
  constexpr auto kBerlin = "iso8601-local:Europe/Berlin";
  constexpr Timestamp kFirst = 1729989000000;  // 2024-10-27T00:30:00Z, summer time
  constexpr Timestamp kSecond = kFirst + 3'600'000;
  EXPECT_EQ(read(kBerlin, "2024-10-27T02:30:00", kFirst + 2'000), kFirst);
  EXPECT_EQ(read(kBerlin, "2024-10-27T02:30:00", kSecond + 2'000), kSecond);
  EXPECT_EQ(read(kBerlin, "2024-10-27T02:30:00", kSecond - 60'000), kSecond)
      << "the device's clock may be a little ahead";
}

TEST(LocalTime, AnHourThatIsSkippedGoesOnWithTheOldOffset) {
  EXPECT_EQ(read("iso8601-local:Europe/Berlin", "2024-03-31T02:30:00"), 1711848600000);
}

TEST(TimeFormatOption, SaysWhatWouldBeRight) {
  EXPECT_THAT(complaint("iso"), HasSubstr("use iso8601"));
  EXPECT_THAT(complaint(""), HasSubstr("use iso8601"));
  EXPECT_THAT(complaint("epoch"), HasSubstr("epoch_s"));
  EXPECT_THAT(complaint("iso8601-local:Europe/Berlim"), HasSubstr("correct the name"));
  EXPECT_THAT(complaint("iso8601-local:../../../etc/passwd"), HasSubstr("not a zone name"));
  EXPECT_THAT(complaint("iso8601-local:/etc/passwd"), HasSubstr("not a zone name"));
  EXPECT_THAT(complaint("iso8601-local:"), HasSubstr("not a zone name"));
  EXPECT_THAT(complaint("iso8601-local:Europe"), HasSubstr("Europe"));
  EXPECT_THAT(complaint("strptime:%Y-%m-%d"), HasSubstr("zone is missing"));
  EXPECT_THAT(complaint("strptime:%Q UTC"), HasSubstr("%Q"));
  EXPECT_THAT(complaint("strptime:%z%"), HasSubstr("\"%\""));
}

TEST(TimeFormat, NeedsADate) {
  for (const char* format : {"strptime: UTC", "strptime:%H:%M UTC", "strptime:%d.%m. %T UTC",
                             "strptime:%Y %T UTC", "strptime:%%F UTC"}) {
    const auto parsed = TimeFormat::parse(format);
    ASSERT_FALSE(parsed) << format;
    EXPECT_NE(parsed.error().message().find("it has no date"), std::string::npos) << format;
  }
  for (const char* format : {"strptime:%F UTC", "strptime:%y%j UTC", "strptime:%e %b %Y UTC"}) {
    EXPECT_TRUE(TimeFormat::parse(format)) << format;
  }
}

}  // namespace
}  // namespace sluice::formats
