// Durations and sizes: what is written in a file, and back.
#include <algorithm>
#include <array>
#include <charconv>

#include "pipeline/base/log.hpp"
#include "pipeline/plugin/option_text.hpp"
#include "pipeline/plugin/options.hpp"

namespace sluice {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
};

/// From small to large; the first of each is 1.
constexpr std::array kDurationUnits{Unit{"ms", 1}, Unit{"s", 1000}, Unit{"min", 60'000},
                                    Unit{"h", 3'600'000}, Unit{"d", 86'400'000}};
constexpr std::array kSizeUnits{Unit{"B", 1}, Unit{"KiB", 1 << 10}, Unit{"MiB", 1 << 20},
                                Unit{"GiB", std::int64_t{1} << 30}};

Error invalid(std::string message) { return {ErrorCode::kInvalid, std::move(message)}; }

/// Whole numbers only: "1.5s" is "1500ms", so every amount has one exact meaning.
template <std::size_t N>
Result<std::int64_t> parse_amount(std::string_view text, const std::array<Unit, N>& units,
                                  std::string_view what) {
  const std::string got = "\"" + printable(text) + "\"";
  std::int64_t amount = 0;
  const char* end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, amount);
  if (fault == std::errc::result_out_of_range) return invalid(got + " is too large");
  const std::string_view unit_name{rest, static_cast<std::size_t>(end - rest)};
  if (fault == std::errc{} && amount < 0) return invalid(got + " is negative");
  const auto unit =
      std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == unit_name; });
  if (fault != std::errc{} || unit == units.end()) {
    const bool no_unit = fault == std::errc{} && unit_name.empty();
    return invalid(got + (no_unit ? " lacks a unit" : " is not understood") + ": write " +
                   std::string{what});
  }
  if (amount > std::numeric_limits<std::int64_t>::max() / unit->factor) {
    return invalid(got + " is too large");
  }
  return amount * unit->factor;
}

/// The largest unit that loses nothing.
template <std::size_t N>
std::string with_unit(std::int64_t value, const std::array<Unit, N>& units, std::string_view zero) {
  if (value == 0) return std::string{zero};
  const auto unit = std::find_if(units.rbegin(), units.rend(),
                                 [&](const Unit& u) { return value % u.factor == 0; });
  return std::to_string(value / unit->factor) + std::string{unit->name};
}

}  // namespace

Result<std::int64_t> parse_duration(std::string_view text) {
  return parse_amount(text, kDurationUnits,
                      "a whole number and ms, s, min, h or d, such as \"5s\" or \"1500ms\"");
}

Result<std::int64_t> parse_size(std::string_view text) {
  return parse_amount(text, kSizeUnits, "a whole number and B, KiB, MiB or GiB, such as \"64KiB\"");
}

std::string format_duration(std::int64_t milliseconds) {
  return with_unit(milliseconds, kDurationUnits, "0s");
}

std::string format_size(std::int64_t bytes) { return with_unit(bytes, kSizeUnits, "0B"); }

}  // namespace sluice
