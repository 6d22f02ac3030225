#include "tests/parity/jobs/real_number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace sluice::parity {

std::string trimmed(const std::string& text) {
  const auto kept = [](char c) { return static_cast<unsigned char>(c) > ' '; };
  const auto begin = std::find_if(text.begin(), text.end(), kept);
  const auto end = std::find_if(text.rbegin(), text.rend(), kept).base();
  return begin < end ? std::string{begin, end} : std::string{};
}

std::optional<double> parse_double(const std::string& text) {
  std::string digits = trimmed(text);
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.erase(0, 1);
  if (digits == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (digits == "Infinity") {
    return negative ? -std::numeric_limits<double>::infinity()
                    : std::numeric_limits<double>::infinity();
  }
  if (digits.find_first_not_of("0123456789.eE+-") != std::string::npos) return std::nullopt;
  if (digits.starts_with('-')) return std::nullopt;
  double value{};
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  // Too large or too small a number is infinity, or 0, and not left alone.
  if (error == std::errc::result_out_of_range) value = std::strtod(digits.c_str(), nullptr);
  return negative ? -value : value;
}

}  // namespace sluice::parity
