// JSON as the daemon reads and writes it: between text and Datum.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/base/datum.hpp"
#include "pipeline/base/result.hpp"
#include "pipeline/base/time.hpp"

namespace sluice::daemon {

/// Compact JSON. Text that is not UTF-8 gets U+FFFD in its place; numbers that JSON does not have
/// (NaN, infinities) become null.
std::string to_json(const Datum& datum);

/// One JSON document. Fails with a sentence for anything else, and for what leaves doubt: a member
/// that comes twice, a NUL byte, a number that no double holds, and nesting deeper than a setting
/// can sensibly have.
Result<Datum> parse_json(std::string_view text);

/// "2024-08-08T12:00:00.000Z"
std::string format_time(Timestamp time);

}  // namespace sluice::daemon
