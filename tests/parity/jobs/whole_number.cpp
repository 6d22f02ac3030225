#include "tests/parity/jobs/whole_number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace sluice::parity {

namespace {

/// The zeros of the decimal digits of the basic plane (Unicode's category Nd).
constexpr std::array<std::uint32_t, 37> kZeros = {
    0x0030, 0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6,
    0x0C66, 0x0CE6, 0x0D66, 0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0,
    0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620,
    0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10};

std::optional<char> digit(std::uint32_t code_point) {
  const auto after = std::upper_bound(kZeros.begin(), kZeros.end(), code_point);
  if (after == kZeros.begin() || code_point - *std::prev(after) > 9) return std::nullopt;
  return static_cast<char>('0' + (code_point - *std::prev(after)));
}

/// Takes a character of one to three bytes off the text; 0, which is no digit, for any other.
std::uint32_t take_code_point(std::string_view& utf8) {
  const auto byte = [&](std::size_t i) {
    return i < utf8.size() ? static_cast<unsigned char>(utf8[i]) : 0U;
  };
  std::size_t length = 1;
  std::uint32_t code_point = byte(0) < 0x80 ? byte(0) : 0;
  if ((byte(0) & 0xE0U) == 0xC0) {
    length = 2;
    code_point = (byte(0) & 0x1FU) << 6 | (byte(1) & 0x3FU);
  } else if ((byte(0) & 0xF0U) == 0xE0) {
    length = 3;
    code_point = (byte(0) & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
  }
  utf8.remove_prefix(std::min(length, utf8.size()));
  return code_point;
}

}  // namespace

std::optional<std::int64_t> parse_long(std::string_view utf8) {
  std::string digits;
  if (utf8.starts_with('-')) digits = "-";
  if (utf8.starts_with('-') || utf8.starts_with('+')) utf8.remove_prefix(1);
  while (!utf8.empty()) {
    const auto next = digit(take_code_point(utf8));
    if (!next) return std::nullopt;
    digits += *next;
  }
  std::int64_t value{};
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<std::int32_t> parse_int(std::string_view utf8) {
  const auto value = parse_long(utf8);
  if (!value || !std::in_range<std::int32_t>(*value)) return std::nullopt;
  return static_cast<std::int32_t>(*value);
}

}  // namespace sluice::parity
