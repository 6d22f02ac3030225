#include "tests/demo/lines.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>

namespace sluice::demo {
namespace {

// The C library has one zone at a time; changing it for each call is slow, so only when it differs.
void use_zone(const std::string& zone) {
  static std::string current;
  if (zone == current) return;
  ::setenv("TZ", zone.c_str(), 1);
  ::tzset();
  current = zone;
}

/// "2024-08-08 12:00"
std::string on_clock(std::int64_t time, const std::string& zone) {
  use_zone(zone);
  const std::time_t seconds = time;
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts);
  return text.data();
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

std::vector<std::string_view> columns_of(std::string_view line) {
  std::vector<std::string_view> columns;
  while (true) {
    const std::size_t end = line.find(',');
    columns.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return columns;
    line.remove_prefix(end + 1);
  }
}

double number_of(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size())
    throw std::runtime_error("not a number: \"" + std::string{text} + "\"");
  return value;
}

std::int64_t time_of(std::string_view text, const std::string& zone) {
  const std::string copy{text};
  std::tm parts{};
  const char* rest = ::strptime(copy.c_str(), "%Y-%m-%d", &parts);
  if (rest != nullptr && (*rest == 'T' || *rest == ' '))
    rest = ::strptime(rest + 1, "%H:%M", &parts);
  if (rest == nullptr) throw std::runtime_error("not a time: \"" + copy + "\"");
  if (*rest == ':') {
    rest = ::strptime(rest + 1, "%S", &parts);
    while (rest != nullptr && (*rest == '.' || (*rest >= '0' && *rest <= '9'))) ++rest;
  }
  parts.tm_isdst = -1;
  if (rest == nullptr || *rest == '\0') {
    use_zone(zone);
    return ::mktime(&parts);
  }
  std::int64_t offset = 0;
  if (*rest == '+' || *rest == '-') {
    int hours = 0;
    int minutes = 0;
    if (std::sscanf(rest + 1, "%2d:%2d", &hours, &minutes) != 2)
      throw std::runtime_error("not a time: \"" + copy + "\"");
    offset = (hours * 60 + minutes) * 60 * (*rest == '-' ? -1 : 1);
  }
  return ::timegm(&parts) - offset;
}

std::string day_text(std::int64_t time, const std::string& zone) {
  return on_clock(time, zone).substr(0, 10);
}

std::string clock_text(std::int64_t time, const std::string& zone) {
  return on_clock(time, zone).substr(11);
}

}  // namespace sluice::demo
