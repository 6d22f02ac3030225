// Calendar date and time of day, read from text: the two written forms of time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "pipeline/base/result.hpp"

namespace sluice::formats {

/// A date and time as written. Every field is checked when it is read, the day against its month.
struct CivilTime {
  int year{};
  int month{1};
  int day{1};
  int hour{};
  int minute{};
  int second{};       ///< up to 60: a leap second counts as the first of the next minute
  int millisecond{};  ///< what is finer is cut off
  std::optional<std::int32_t> utc_offset;  ///< seconds east, if the text said it

  /// Seconds from 1970-01-01T00:00:00 on the same clock; nothing if there is no such day.
  std::optional<std::int64_t> local_seconds() const;
};

/// "2024-02-09T06:41:17.283719546Z", "2020-10-13T16:00Z", "2024-02-11 08:14:33+01:00": ISO 8601
/// with any number of decimals, with or without seconds and UTC offset. All of the text must fit.
std::optional<CivilTime> parse_iso8601(std::string_view text);

/// Checks a format for parse_with_format: the error names the unknown or unfinished conversion.
Status check_time_format(std::string_view format);

/// Like strptime in the C locale: %Y %y %m %d %e %H %I %M %S %f (decimals) %p %b %B %j %z %T %F
/// %%; white space stands for any amount of it. %z is ±hh:mm, ±hhmm or Z. Strict: all of the text
/// must fit.
std::optional<CivilTime> parse_with_format(std::string_view text, std::string_view format);

}  // namespace sluice::formats
