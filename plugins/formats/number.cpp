#include "plugins/formats/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "pipeline/base/text.hpp"
#include "plugins/formats/bytes.hpp"

namespace sluice::formats {

namespace {

NumberOrReason refuse(RejectReason reason) { return {std::nullopt, reason}; }

/// "nan", "-Inf", "infinity" in any case: a number's place was taken by no number at all.
bool is_not_finite_word(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text.size() > 8) return false;
  std::string lower{text};
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower == "nan" || lower == "inf" || lower == "infinity";
}

/// Of a well-formed number outside the range of double: is it huge, or tiny? from_chars reports
/// both alike.
bool is_huge(std::string_view digits) {
  std::size_t exponent_at = digits.find_first_of("eE");
  const std::string_view mantissa = digits.substr(0, exponent_at);
  long long exponent = 0;
  if (exponent_at != std::string_view::npos) {
    ++exponent_at;
    if (digits[exponent_at] == '+') ++exponent_at;
    const bool negative = digits[exponent_at] == '-';
    const auto parsed =
        std::from_chars(digits.data() + exponent_at, digits.data() + digits.size(), exponent);
    if (parsed.ec == std::errc::result_out_of_range) return !negative;
  }
  const auto point = static_cast<long long>(std::min(mantissa.find('.'), mantissa.size()));
  const auto first = static_cast<long long>(mantissa.find_first_of("123456789"));
  // Payloads are far too short for the difference to matter near the ends of the range.
  return point - first > -exponent;
}

}  // namespace

NumberOrReason parse_number(std::string_view text, bool decimal_comma) {
  text = trimmed(text);
  if (text.empty()) return refuse(RejectReason::kMissingLevel);
  if (is_not_finite_word(text)) return refuse(RejectReason::kNotFinite);

  std::string with_point;
  if (decimal_comma) {
    if (text.find('.') != std::string_view::npos) return refuse(RejectReason::kNotANumber);
    with_point = text;
    const std::size_t comma = with_point.find(',');
    if (comma != std::string::npos) with_point[comma] = '.';
    text = with_point;
  }

  // from_chars knows no plus sign, but it knows "nan(…)" and the like: only digits may begin here.
  if (text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return refuse(RejectReason::kNotANumber);
  }
  const std::string_view digits = text.substr(!text.empty() && text.front() == '-' ? 1 : 0);
  const bool begins_well = !digits.empty() && (digits.front() == '.' ||
                                               (digits.front() >= '0' && digits.front() <= '9'));
  if (!begins_well) return refuse(RejectReason::kNotANumber);

  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    return refuse(RejectReason::kNotANumber);
  }
  if (error == std::errc::result_out_of_range) {
    if (is_huge(digits)) return refuse(RejectReason::kNotFinite);
    return {text.front() == '-' ? -0.0 : 0.0, {}};
  }
  if (!std::isfinite(value)) return refuse(RejectReason::kNotFinite);
  return {value, {}};
}

}  // namespace sluice::formats
