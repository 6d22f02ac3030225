// Option tables in words: how messages, the configuration reference and the example file speak of
// types, values and ranges, so that all three say the same. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/plugin/options.hpp"

namespace sluice {

/// "a text", "a whole number", "a duration such as \"5s\"", …: completes "must be …".
std::string_view describe_type(OptionType type);

/// The shortest exact form with a unit: 5000 → "5s", 1500 → "1500ms". Not for negative values.
std::string format_duration(std::int64_t milliseconds);
/// The same for sizes: 65536 → "64KiB".
std::string format_size(std::int64_t bytes);
/// A number as a user would write it: 10, 0.5.
std::string format_number(double value);

/// The range of a table row, completing "must be …": "at least 0", "at most 1h", "from 1 to 10".
/// Empty without a range, and for types that have none.
std::string describe_range(const OptionSpec& spec);

/// The allowed texts of a table row, empty if any is.
std::vector<std::string_view> choices_of(const OptionSpec& spec);

/// A value as it would stand in the file, for "not …" in messages; made safe for a log line.
std::string describe_value(const OptionValue& value);

}  // namespace sluice
