// The yearly rule at the end of a time zone file, e.g. "CET-1CEST,M3.5.0,M10.5.0/3" (POSIX TZ with
// the extensions of RFC 8536): says what holds after the last listed change.
#pragma once

#include <cstdint>
#include <string_view>

#include "pipeline/base/result.hpp"

namespace sluice::formats {

class PosixZoneRule {
 public:
  static Result<PosixZoneRule> parse(std::string_view text);

  /// Seconds to add to UTC for local time, at this UTC second.
  std::int32_t offset_at(std::int64_t utc_seconds) const;

 private:
  /// A day of the year, and the local second of it (may be negative or beyond the day).
  struct Change {
    enum class Kind : std::uint8_t { kWeekday, kJulian, kDayOfYear } kind{};
    int month{};  ///< kWeekday: 1 to 12
    int week{};   ///< kWeekday: 1 to 5, 5 = the last
    int day{};    ///< kWeekday: 0 = Sunday; kJulian: 1 to 365; kDayOfYear: 0 to 365
    std::int32_t second{2 * 3600};
  };
  class Reader;

  static std::int64_t local_second(const Change& change, std::int64_t year);

  std::int32_t standard_{};
  std::int32_t summer_{};
  bool has_summer_{};
  Change begin_;  ///< in standard time
  Change end_;    ///< in summer time
};

}  // namespace sluice::formats
