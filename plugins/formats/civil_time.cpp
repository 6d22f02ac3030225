#include "plugins/formats/civil_time.hpp"

#include <array>
#include <chrono>
#include <string>

#include "pipeline/base/log.hpp"
#include "plugins/formats/text_cursor.hpp"

namespace sluice::formats {

namespace {

constexpr std::string_view kConversions = "YymdeHIMSfpbBhjzTF%";

constexpr std::array<std::string_view, 12> kMonths{"january",   "february", "march",    "april",
                                                   "may",       "june",     "july",     "august",
                                                   "september", "october",  "november", "december"};

/// Reads `least` to `most` digits into `out`; false if there are none or they are out of range.
bool field(TextCursor& in, std::size_t least, std::size_t most, int lowest, int highest, int& out) {
  const auto value = in.number(least, most);
  if (!value || *value < lowest || *value > highest) return false;
  out = *value;
  return true;
}

/// Z, ±hh, ±hhmm or ±hh:mm.
bool utc_offset(TextCursor& in, CivilTime& time) {
  if (in.take_any_of("Zz")) {
    time.utc_offset = 0;
    return true;
  }
  const bool west = in.peek() == '-';
  if (!in.take_any_of("+-")) return false;
  int hours = 0;
  int minutes = 0;
  if (!field(in, 2, 2, 0, 23, hours)) return false;
  const bool colon = in.take(':');
  const bool more = in.peek() >= '0' && in.peek() <= '9';
  if ((colon || more) && !field(in, 2, 2, 0, 59, minutes)) return false;
  const std::int32_t seconds = hours * 3600 + minutes * 60;
  time.utc_offset = west ? -seconds : seconds;
  return true;
}

std::size_t common_length(std::string_view text, std::string_view lower) {
  std::size_t i = 0;
  for (; i < text.size() && i < lower.size(); ++i) {
    const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] + 32) : text[i];
    if (c != lower[i]) break;
  }
  return i;
}

/// A month by its English name, or by the first three letters of it.
bool month_name(TextCursor& in, CivilTime& time) {
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    const std::size_t length = common_length(in.rest(), kMonths[i]);
    if (length < 3) continue;
    in.skip(length == kMonths[i].size() ? length : 3);
    time.month = static_cast<int>(i) + 1;
    return true;
  }
  return false;
}

/// Reads by a format, one conversion after the other.
class FormatReader {
 public:
  FormatReader(std::string_view text, std::string_view format) : in_{text}, format_{format} {}

  std::optional<CivilTime> read() {
    if (!apply(format_) || !in_.at_end()) return std::nullopt;
    if (afternoon_) time_.hour = time_.hour % 12 + (*afternoon_ ? 12 : 0);
    if (day_of_year_ && !set_day_of_year()) return std::nullopt;
    return time_;
  }

 private:
  bool apply(std::string_view format) {
    for (std::size_t i = 0; i < format.size(); ++i) {
      const char c = format[i];
      if (c == '%' && i + 1 < format.size()) {
        if (!convert(format[++i])) return false;
      } else if (c == ' ' || c == '\t') {
        in_.skip_spaces();
      } else if (!in_.take(c)) {
        return false;
      }
    }
    return true;
  }

  bool convert(char conversion) {
    switch (conversion) {
      case 'Y': return field(in_, 4, 4, 1, 9999, time_.year);
      case 'y': return two_digit_year();
      case 'm': return field(in_, 1, 2, 1, 12, time_.month);
      case 'e': in_.skip_spaces(); [[fallthrough]];
      case 'd': return field(in_, 1, 2, 1, 31, time_.day);
      case 'H': return field(in_, 1, 2, 0, 23, time_.hour);
      case 'I': return field(in_, 1, 2, 1, 12, time_.hour);
      case 'M': return field(in_, 1, 2, 0, 59, time_.minute);
      case 'S': return field(in_, 1, 2, 0, 60, time_.second);
      case 'T': return apply("%H:%M:%S");
      case 'F': return apply("%Y-%m-%d");
      case 'z': return utc_offset(in_, time_);
      case '%': return in_.take('%');
      case 'b':
      case 'B':
      case 'h': return month_name(in_, time_);
      case 'f': return decimals();
      case 'p': return half_of_day();
      case 'j': day_of_year_ = in_.number(1, 3); return day_of_year_.has_value();
      default: return false;
    }
  }

  bool two_digit_year() {
    if (!field(in_, 2, 2, 0, 99, time_.year)) return false;
    time_.year += time_.year < 69 ? 2000 : 1900;  // as POSIX says
    return true;
  }

  bool decimals() {
    const auto value = in_.milliseconds();
    time_.millisecond = value.value_or(0);
    return value.has_value();
  }

  bool half_of_day() {
    const bool after = in_.peek() == 'P' || in_.peek() == 'p';
    if (!in_.take_any_of("AaPp") || !in_.take_any_of("Mm")) return false;
    afternoon_ = after;
    return true;
  }

  bool set_day_of_year() {
    using std::chrono::days, std::chrono::sys_days, std::chrono::year_month_day;
    const std::chrono::year year{time_.year};
    if (*day_of_year_ < 1 || *day_of_year_ > (year.is_leap() ? 366 : 365)) return false;
    const year_month_day date{sys_days{year / 1 / 1} + days{*day_of_year_ - 1}};
    time_.month = static_cast<int>(static_cast<unsigned>(date.month()));
    time_.day = static_cast<int>(static_cast<unsigned>(date.day()));
    return true;
  }

  TextCursor in_;
  std::string_view format_;
  CivilTime time_;
  std::optional<bool> afternoon_;
  std::optional<int> day_of_year_;
};

}  // namespace

std::optional<std::int64_t> CivilTime::local_seconds() const {
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  return days * 86'400 + hour * 3600 + minute * 60 + second;
}

std::optional<CivilTime> parse_iso8601(std::string_view text) {
  TextCursor in{text};
  CivilTime time;
  const bool date = field(in, 4, 4, 1, 9999, time.year) && in.take('-') &&
                    field(in, 2, 2, 1, 12, time.month) && in.take('-') &&
                    field(in, 2, 2, 1, 31, time.day);
  if (!date || !in.take_any_of("Tt ")) return std::nullopt;
  const bool minutes =
      field(in, 2, 2, 0, 23, time.hour) && in.take(':') && field(in, 2, 2, 0, 59, time.minute);
  if (!minutes) return std::nullopt;
  if (in.take(':')) {
    if (!field(in, 2, 2, 0, 60, time.second)) return std::nullopt;
    if (in.take_any_of(".,")) {
      const auto decimals = in.milliseconds();
      if (!decimals) return std::nullopt;
      time.millisecond = *decimals;
    }
  }
  if (!in.at_end() && !utc_offset(in, time)) return std::nullopt;
  if (!in.at_end()) return std::nullopt;
  return time;
}

Status check_time_format(std::string_view format) {
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    ++i;
    if (i == format.size() || kConversions.find(format[i]) == std::string_view::npos) {
      return Error{ErrorCode::kInvalid, "\"" + printable(format.substr(i - 1, 2)) +
                                            "\" is not known in a time format; use %Y %m %d %H %M "
                                            "%S %f %b %p %j %z"};
    }
  }
  return Status::ok();
}

std::optional<CivilTime> parse_with_format(std::string_view text, std::string_view format) {
  return FormatReader{text, format}.read();
}

}  // namespace sluice::formats
