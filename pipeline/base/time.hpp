// Time as the runtime knows it: milliseconds since the Unix epoch, UTC.
//
// Event time (when it happened) and processing time (when we got to know) share this type; which
// of the two is meant is always in the name of the variable. Nothing in pipeline/ reads a clock:
// the engine brings the time along with each record, so the same input gives the same output.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace sluice {

/// Milliseconds since 1970-01-01T00:00:00Z; negative values are ordinary (TM-21).
using Timestamp = std::int64_t;

/// A length of time in the API; always milliseconds inside.
using Duration = std::chrono::milliseconds;

/// "No watermark yet" (WM-19), and what a side output gets from a record without time (SO-04).
inline constexpr Timestamp kMinTimestamp = std::numeric_limits<Timestamp>::min();

/// The watermark that ends a bounded input (TM-19).
inline constexpr Timestamp kMaxTimestamp = std::numeric_limits<Timestamp>::max();

/// A record's own time, or nothing if it has none (CX-02).
using OptionalTimestamp = std::optional<Timestamp>;

/// `a + b` that stays at the ends of the range instead of wrapping (TTL-01).
constexpr Timestamp saturating_add(Timestamp a, Timestamp b) {
  Timestamp sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? kMaxTimestamp : kMinTimestamp;
}

}  // namespace sluice
