#include "plugins/water/wording.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "pipeline/base/log.hpp"
#include "pipeline/plugin/option_text.hpp"

namespace sluice::water {

namespace {

// Doubles keep 15 decimal digits; three fewer hide what a few additions do to the last ones.
constexpr int kDigits = 12;

/// Rounded to `decimals` places, by way of decimal text: binary arithmetic would bring noise back.
double rounded(double value, int decimals) {
  std::array<char, 64> buffer{};
  const auto text = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                  std::chars_format::fixed, decimals);
  if (text.ec != std::errc{}) return value;
  double out = value;
  std::from_chars(buffer.data(), text.ptr, out);
  return out == 0 ? 0 : out;  // no "-0"
}

/// Digits before the decimal point; not positive for numbers below 1.
int whole_digits(double magnitude) {
  return magnitude == 0 ? 0 : static_cast<int>(std::floor(std::log10(magnitude))) + 1;
}

}  // namespace

std::string difference_text(double difference, double magnitude) {
  // Only of what an older version let in: a reading is no larger than kLargestLevel.
  constexpr double kMost = std::numeric_limits<double>::max();
  difference = std::clamp(difference, -kMost, kMost);
  magnitude = std::clamp(magnitude, -kMost, kMost);
  const int digits = whole_digits(std::max(std::abs(magnitude), std::abs(difference)));
  // Outside, numbers are so large or small that a plain decimal text would not fit anyway.
  if (digits > 15 || digits < -15) return format_number(difference);
  return format_number(rounded(difference, std::max(kDigits - digits, 0)));
}

std::string number_text(double value) { return difference_text(value, value); }

std::string with_unit(std::string number, std::string_view unit) {
  if (unit.empty()) return number;
  return number + " " + printable(unit, 16);
}

std::string amount_text(double value, std::string_view unit) {
  return with_unit(number_text(value), unit);
}

bool exceeds(double difference, double limit, double magnitude) {
  // Half a unit in the last place for each operand and for the limit, rounded up.
  return difference - limit > 2 * std::numeric_limits<double>::epsilon() * std::abs(magnitude);
}

}  // namespace sluice::water
