// The option `time_format`: how a time is written in a payload.
//
//   iso8601               2024-02-09T06:41:17.283Z; an offset is needed
//   iso8601-local:ZONE    the same without offset, on a wall clock of that zone
//   epoch_s _ms _us _ns   since 1970, as number or text
//   strptime:FORMAT ZONE  by a format; ZONE is UTC or a zone, and may be left out after %z
//   none                  there is no time in the payload
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/base/result.hpp"
#include "pipeline/base/time.hpp"
#include "plugins/formats/civil_time.hpp"
#include "plugins/formats/time_zone.hpp"
#include "plugins/formats/value.hpp"

namespace sluice::formats {

/// Immutable; any thread.
class TimeFormat {
 public:
  /// The error names the format and what would be right. Loads the zone, if there is one.
  static Result<TimeFormat> parse(std::string_view spec);

  bool is_none() const { return kind_ == Kind::kNone; }

  /// The time in `value`, cut to the millisecond; nothing if it cannot be read or lies outside of
  /// the years 1 to 9999. `received` decides between the two hours of one name in autumn.
  std::optional<Timestamp> read(const Value& value, Timestamp received) const;

 private:
  enum class Kind : std::uint8_t { kNone, kIso8601, kEpoch, kPattern };

  Status parse_pattern(std::string_view text);
  Status set_zone(std::string_view name);
  std::optional<Timestamp> on_clock(const CivilTime& time, Timestamp received) const;
  std::optional<Timestamp> since_epoch(const Value& value) const;

  Kind kind_{Kind::kNone};
  int decimals_{};       ///< kEpoch: 0 for seconds … 9 for nanoseconds
  std::string pattern_;  ///< kPattern
  /// What holds if the text has no offset; without zone, such a text is refused.
  bool utc_{};
  std::shared_ptr<const TimeZone> zone_;
};

}  // namespace sluice::formats
