// Sequence: which numbers of a sensor's own count never came. Pure: numbers in, gaps out.
//
// Devices count what they send (LoRaWAN's fCnt, message counters), begin again at 0 or 1 after a
// restart, wrap at 8, 16 or 32 bits, and the way to us repeats and overtakes. Only what is none of
// these is a gap.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pipeline/base/time.hpp"
#include "pipeline/state/fields.hpp"

namespace sluice::daemon {

/// Numbers in a row that have not come, both ends included.
struct OpenGap {
  std::int64_t from{};
  std::int64_t to{};
  Timestamp opened{};    ///< processing time
  std::int64_t since{};  ///< how many later numbers have come since
};
SLUICE_FIELDS(OpenGap, from, to, opened, since)

/// What is kept for each sensor.
struct SequenceState {
  std::int64_t highest{};
  std::vector<OpenGap> open;  ///< what may have been overtaken only, and may still come
  /// The highest number of the count before, as long as the present one may be a stray reading.
  std::optional<std::int64_t> before;
  std::int64_t since_before{};        ///< how many numbers of the present count have come
  std::optional<Timestamp> deadline;  ///< of the pending timer, if there is one
};
SLUICE_FIELDS(SequenceState, highest, open, before, since_before, deadline)

/// How many later numbers may overtake one, and how late it may come, without being missing.
inline constexpr std::int64_t kOvertaking = 16;
inline constexpr Timestamp kOvertakingTime = 5000;
/// A count that is further ahead is another count.
inline constexpr std::int64_t kLargestGap = 1'000'000;

/// The first number of a sensor.
SequenceState first_number(std::int64_t number);

/// The next one, from 0. Gives what is certain to be missing now.
std::vector<OpenGap> next_number(SequenceState& state, std::int64_t number, Timestamp now);

/// What has been open for long enough at `now`. The rest stays.
std::vector<OpenGap> overdue(SequenceState& state, Timestamp now);

}  // namespace sluice::daemon
