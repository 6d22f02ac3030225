#include "tests/parity/jobs/double_text.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace sluice::parity {

namespace {

std::string with_exponent(const std::string& digits, int exponent) {
  return digits.substr(0, 1) + "." + (digits.size() > 1 ? digits.substr(1) : "0") + "E" +
         std::to_string(exponent);
}

std::string without_exponent(std::string digits, int exponent) {
  if (exponent < 0)
    return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) digits.append(whole + 1 - digits.size(), '0');
  return digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace

std::string double_text(double value) {
  if (std::isnan(value)) return "NaN";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "Infinity";
  if (value == 0.0) return sign + "0.0";
  char buffer[40];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value), std::chars_format::scientific)
          .ptr;
  const std::string shortest{buffer, end};
  const auto e = shortest.find('e');
  const int exponent = std::atoi(shortest.c_str() + e + 1);
  std::string digits = shortest.substr(0, 1);
  if (e > 2) digits += shortest.substr(2, e - 2);
  const bool plain = exponent >= -3 && exponent < 7;
  return sign + (plain ? without_exponent(digits, exponent) : with_exponent(digits, exponent));
}

}  // namespace sluice::parity
