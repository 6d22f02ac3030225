// Option tables: each option is declared once, with type, unit, default, range and help. Parsing,
// `sluice check`, the configuration reference and the example file all come from these tables.
//
// Tables are constexpr arrays beside the code that uses them; nobody parses options by hand.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pipeline/base/result.hpp"
#include "pipeline/base/time.hpp"

namespace sluice {

enum class OptionType : std::uint8_t {
  kText,      ///< a string
  kInteger,   ///< a whole number
  kNumber,    ///< a finite number; whole numbers are accepted too
  kBoolean,   ///< true or false
  kDuration,  ///< "250ms", "5s", "5min", "2h", "7d"; kept in milliseconds
  kSize,      ///< "512B", "64KiB", "16MiB", "1GiB"; kept in bytes
  kTextList,  ///< a list of strings
};

/// One row of an option table.
struct OptionSpec {
  std::string_view name;
  OptionType type{};
  std::string_view help;  ///< one sentence, without full stop
  /// As a user would write it, without quotes: "10", "5s", "true". Empty: unset unless given.
  std::string_view fallback{};
  bool required{false};
  double minimum{
      -std::numeric_limits<double>::infinity()};  ///< inclusive; ms or bytes for kDuration, kSize
  double maximum{std::numeric_limits<double>::infinity()};  ///< inclusive
  std::string_view unit{};     ///< for people: "cm", "readings", "the sensor's unit"
  std::string_view choices{};  ///< "json|text": the only texts allowed; empty: any
};

/// Durations in milliseconds and sizes in bytes are int64.
using OptionValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

/// "5s" → 5000. Units: ms, s, min, h, d. The error says what a duration looks like.
Result<std::int64_t> parse_duration(std::string_view text);
/// "64KiB" → 65536. Units: B, KiB, MiB, GiB.
Result<std::int64_t> parse_size(std::string_view text);
/// Checks type, range and choices of one value; numbers widen from integer. The message names the
/// option, what it got and what it may be, but no file or line (the caller knows those).
Result<OptionValue> check_option(const OptionSpec& spec, const OptionValue& raw);

/// Whether a table can be used: names of a-z, 0-9 and _ that are used once and not `reserved`,
/// known types, ranges that something is in, fallbacks that the option takes. The message names the
/// option.
Status check_option_table(std::span<const OptionSpec> specs,
                          std::span<const std::string_view> reserved);

/// The checked values of one table: what was given, and the fallbacks for the rest.
class Options {
 public:
  Options() = default;

  /// The fallbacks of a table. A fallback that its own table refuses is a bug and throws.
  static Options fallbacks(std::span<const OptionSpec> specs);

  void set(std::string_view name, OptionValue value);

  /// False if it was not given and has no fallback.
  bool has(std::string_view name) const;

  /// Each throws InvalidArgument if the option is unset or of another type: a bug of the caller.
  bool boolean(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  Duration duration(std::string_view name) const;
  const std::vector<std::string>& texts(std::string_view name) const;

 private:
  template <class T>
  const T& get(std::string_view name) const;

  std::map<std::string, OptionValue, std::less<>> values_;
};

}  // namespace sluice
