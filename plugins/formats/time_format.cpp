#include "plugins/formats/time_format.hpp"

#include <cmath>
#include <utility>

#include "pipeline/base/log.hpp"
#include "pipeline/base/text.hpp"
#include "plugins/formats/bytes.hpp"
#include "plugins/formats/number.hpp"

namespace sluice::formats {

namespace {

constexpr Timestamp kFirst = -62'135'596'800'000;  // 0001-01-01T00:00:00Z
constexpr Timestamp kLast = 253'402'300'799'999;   // 9999-12-31T23:59:59.999Z
constexpr std::string_view kLocal = "iso8601-local:";
constexpr std::string_view kPatternPrefix = "strptime:";

std::optional<Timestamp> in_range(Timestamp time) {
  if (time < kFirst || time > kLast) return std::nullopt;
  return time;
}

Timestamp floor_divide(Timestamp a, Timestamp b) { return a / b - (a % b < 0 ? 1 : 0); }

std::optional<int> epoch_decimals(std::string_view spec) {
  if (spec == "epoch_s") return 0;
  if (spec == "epoch_ms") return 3;
  if (spec == "epoch_us") return 6;
  if (spec == "epoch_ns") return 9;
  return std::nullopt;
}

/// 10 to the power of 0 … 9.
std::int64_t power_of_ten(int exponent) {
  std::int64_t value = 1;
  for (int i = 0; i < exponent; ++i) value *= 10;
  return value;
}

/// A whole number of units of 10^-decimals seconds, as milliseconds.
std::optional<Timestamp> whole_units(std::int64_t units, int decimals) {
  if (decimals >= 3) return in_range(floor_divide(units, power_of_ten(decimals - 3)));
  const std::int64_t factor = power_of_ten(3 - decimals);
  if (units > kLast / factor || units < kFirst / factor) return std::nullopt;
  return in_range(units * factor);
}

/// "1708398731", "1708398731.250" or "1.708398731e9". Without exponent it is exact: 19 digits of
/// nanoseconds do not fit a double.
std::optional<Timestamp> units_in_text(std::string_view text, int decimals) {
  const bool negative = !text.empty() && text.front() == '-';
  const std::string_view digits = text.substr(negative ? 1 : 0);
  const std::size_t point = digits.find('.');
  const auto whole = parse_digits<std::int64_t>(digits.substr(0, point));
  if (whole && point == std::string_view::npos) {
    return whole_units(negative ? -*whole : *whole, decimals);
  }
  const auto number = parse_number(text).number;
  if (!number) return std::nullopt;
  // Rounded to the microsecond first: 1708398731.25 times 1000 may come out a hair too low.
  const double milliseconds = *number * std::pow(10.0, 3 - decimals);
  const double cut = std::floor(std::round(milliseconds * 1000.0) / 1000.0);
  if (!(cut >= static_cast<double>(kFirst) && cut <= static_cast<double>(kLast))) {
    return std::nullopt;
  }
  return in_range(static_cast<Timestamp>(cut));
}

}  // namespace

Result<TimeFormat> TimeFormat::parse(std::string_view spec) {
  TimeFormat format;
  if (spec == "none") return format;
  if (spec == "iso8601") {
    format.kind_ = Kind::kIso8601;
    return format;
  }
  if (const auto decimals = epoch_decimals(spec)) {
    format.kind_ = Kind::kEpoch;
    format.decimals_ = *decimals;
    return format;
  }
  Status status = Error{ErrorCode::kInvalid,
                        "use iso8601, iso8601-local:ZONE, epoch_s, epoch_ms, epoch_us, epoch_ns, "
                        "\"strptime:FORMAT UTC\" or none"};
  if (spec.substr(0, kLocal.size()) == kLocal) {
    format.kind_ = Kind::kIso8601;
    status = format.set_zone(spec.substr(kLocal.size()));
  } else if (spec.substr(0, kPatternPrefix.size()) == kPatternPrefix) {
    status = format.parse_pattern(spec.substr(kPatternPrefix.size()));
  }
  if (!status) {
    return std::move(status).error().with_context("time format \"" + printable(spec) + "\"");
  }
  return format;
}

Status TimeFormat::set_zone(std::string_view name) {
  utc_ = name == "UTC";
  if (utc_) return Status::ok();
  auto zone = TimeZone::load(name);
  if (!zone) return std::move(zone).error();
  zone_ = std::move(zone).value();
  return Status::ok();
}

Status TimeFormat::parse_pattern(std::string_view text) {
  kind_ = Kind::kPattern;
  const bool has_offset = text.find("%z") != std::string_view::npos;
  const std::size_t space = text.rfind(' ');
  const std::string_view last =
      space == std::string_view::npos ? std::string_view{} : text.substr(space + 1);
  const bool last_is_zone = !last.empty() && last.find('%') == std::string_view::npos;
  if (!last_is_zone && !has_offset) {
    return Error{ErrorCode::kInvalid,
                 "the zone is missing: write \"strptime:FORMAT UTC\" or a zone like Europe/Berlin"};
  }
  if (last_is_zone) {
    SLUICE_RETURN_IF_ERROR(set_zone(last));
    text = text.substr(0, space);
  }
  pattern_ = text;
  SLUICE_RETURN_IF_ERROR(check_time_format(pattern_));
  const auto has_any = [&](std::string_view conversions) {
    for (std::size_t i = 0; i + 1 < pattern_.size(); ++i) {
      if (pattern_[i] != '%') continue;
      if (conversions.find(pattern_[++i]) != std::string_view::npos) return true;
    }
    return false;
  };
  const bool day_of_month = has_any("mbBh") && has_any("de");
  if (has_any("F") || (has_any("Yy") && (day_of_month || has_any("j")))) return Status::ok();
  return Error{ErrorCode::kInvalid,
               "it has no date: %Y, %m and %d, or %F, must be in it, or all times would be of one "
               "day long ago"};
}

std::optional<Timestamp> TimeFormat::on_clock(const CivilTime& time, Timestamp received) const {
  const auto local = time.local_seconds();
  if (!local) return std::nullopt;
  std::int64_t seconds = *local;
  if (time.utc_offset) {
    seconds -= *time.utc_offset;
  } else if (zone_) {
    seconds = zone_->to_utc(*local, floor_divide(received, 1000));
  } else if (!utc_) {
    return std::nullopt;
  }
  return in_range(seconds * 1000 + time.millisecond);
}

std::optional<Timestamp> TimeFormat::since_epoch(const Value& value) const {
  if (value.kind == ValueKind::kInteger) return whole_units(value.integer, decimals_);
  if (value.kind == ValueKind::kNumber) return units_in_text(value.text, decimals_);
  if (value.kind == ValueKind::kText) return units_in_text(trimmed(value.text), decimals_);
  return std::nullopt;
}

std::optional<Timestamp> TimeFormat::read(const Value& value, Timestamp received) const {
  if (kind_ == Kind::kEpoch) return since_epoch(value);
  WordBuffer buffer;  // 20240209064117 may well be a number
  const auto word = as_word(value, buffer);
  if (!word || kind_ == Kind::kNone) return std::nullopt;
  const std::string_view text = trimmed(*word);
  const auto time =
      kind_ == Kind::kIso8601 ? parse_iso8601(text) : parse_with_format(text, pattern_);
  if (!time) return std::nullopt;
  return on_clock(*time, received);
}

}  // namespace sluice::formats
