// Small questions about bytes, the same in every format.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace sluice::formats {

/// Without what devices add by accident: a UTF-8 byte order mark in front, and NULs and white
/// space behind (`sizeof buffer` published instead of its text's length).
std::string_view without_accidents(std::string_view payload);

/// All of `text` as a whole number, or nothing. No sign in front, no white space.
template <class T>
std::optional<T> parse_digits(std::string_view text) {
  T value{};
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace sluice::formats
