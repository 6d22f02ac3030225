#include "plugins/formats/time_zone.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace sluice::formats {
namespace {

/// The process's time zone for as long as it lives.
class ScopedZone {
 public:
  explicit ScopedZone(const std::string& name) {
    ::setenv("TZ", name.c_str(), 1);
    ::tzset();
  }
  ~ScopedZone() {
    ::unsetenv("TZ");
    ::tzset();
  }
  ScopedZone(const ScopedZone&) = delete;
  ScopedZone& operator=(const ScopedZone&) = delete;

  static std::int64_t offset_at(std::time_t utc) {
    std::tm local{};
    ::localtime_r(&utc, &local);
    return local.tm_gmtoff;
  }
};

TEST(TimeZone, AgreesWithTheCLibraryAtRandomMoments) {
  std::mt19937_64 random{11};
  for (const std::string name :
       {"Europe/Berlin", "Europe/London", "Europe/Dublin", "America/New_York", "America/St_Johns",
        "Australia/Lord_Howe", "Asia/Kolkata", "Africa/Casablanca", "America/Nuuk",
        "Pacific/Auckland", "America/Santiago", "Asia/Tehran", "UTC", "Etc/GMT-14"}) {
    const auto zone = TimeZone::load(name);
    ASSERT_TRUE(zone.has_value()) << zone.error().message();
    const ScopedZone scoped{name};
    for (int i = 0; i < 5'000; ++i) {
      // 1902 to 2100: listed changes, and beyond them the yearly rule.
      const auto utc = static_cast<std::int64_t>(random() % 6'250'000'000) - 2'145'916'800;
      ASSERT_EQ(zone.value()->offset_at(utc), ScopedZone::offset_at(utc)) << name << " " << utc;
    }
  }
}

TEST(TimeZone, LocalTimeAndBackIsTheSameMoment) {
  const auto zone = TimeZone::load("Europe/Berlin").value();
  std::mt19937_64 random{13};
  for (int i = 0; i < 5'000; ++i) {
    const auto utc = static_cast<std::int64_t>(random() % 4'000'000'000);
    ASSERT_EQ(zone->to_utc(utc + zone->offset_at(utc), utc), utc);
  }
}

std::string berlin() {
  std::ifstream file{"/usr/share/zoneinfo/Europe/Berlin", std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

TEST(TimeZone, FilesCutAtAnyByteAreRefused) {
  const std::string bytes = berlin();
  ASSERT_TRUE(TimeZone::parse(bytes).has_value());
  // The very last byte is the line end behind the rule, which is complete without it.
  for (std::size_t length = 0; length + 1 < bytes.size(); ++length) {
    const auto zone = TimeZone::parse(std::string_view{bytes}.substr(0, length));
    const bool whole_rule_shortened = zone.has_value() && length + 40 > bytes.size();
    EXPECT_TRUE(!zone.has_value() || whole_rule_shortened) << length;
  }
}

TEST(TimeZone, DamagedFilesNeverReadOutside) {
  const std::string good = berlin();
  std::mt19937_64 random{17};
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = good;
    for (int change = 0; change < 3; ++change) {
      bytes[random() % (i % 2 == 0 ? 60 : bytes.size())] = static_cast<char>(random());
    }
    const auto zone = TimeZone::parse(bytes);
    refused += zone.has_value() ? 0 : 1;
    if (zone) (void)zone.value().offset_at(1'700'000'000);
  }
  EXPECT_GT(refused, 0);
}

TEST(PosixZoneRule, RefusesWhatIsNoRule) {
  for (const auto* text : {"", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
                           "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "<CET-1",
                           "CET-1CEST,M3.5.0,M10.5.0/3x", "CET-999", "C-1", "CET-1CEST,J0,J365"}) {
    EXPECT_FALSE(PosixZoneRule::parse(text).has_value()) << text;
  }
}

TEST(PosixZoneRule, CountsDaysWithAndWithoutLeapDays) {
  const auto julian = PosixZoneRule::parse("AAA0BBB,J60/0,J300/0").value();
  EXPECT_EQ(julian.offset_at(1709251199), 0);     // 2024-02-29T23:59:59Z
  EXPECT_EQ(julian.offset_at(1709251200), 3600);  // 2024-03-01T00:00:00Z
  const auto zero_based = PosixZoneRule::parse("AAA0BBB,59/0,300/0").value();
  EXPECT_EQ(zero_based.offset_at(1709164799), 0);     // 2024-02-28T23:59:59Z
  EXPECT_EQ(zero_based.offset_at(1709164800), 3600);  // 2024-02-29T00:00:00Z
}

}  // namespace
}  // namespace sluice::formats
