// Payloads of the journal's own records: delivery marks, clock steps, messages set aside, numbers
// left out.
//
// docs/journal-format.md describes the bytes. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/result.hpp"
#include "pipeline/records/publication.hpp"

namespace sluice::storage {

/// kDelivered: the broker has these publications.
std::string encode_delivered(std::span<const PublicationId> ids);
Result<std::vector<PublicationId>> decode_delivered(std::string_view payload);

/// kClockStep: the wall clock was moved by this many milliseconds, forward if positive.
std::string encode_clock_step(std::int64_t step_ms);
Result<std::int64_t> decode_clock_step(std::string_view payload);

/// kHold: from here on timers that are due do not fire, or do again.
std::string encode_hold(bool hold);
/// Anything that encode_hold() does not write lets them go.
bool decode_hold(std::string_view payload);

/// kSkipped: of the numbers before the record that follows, those behind `last_stored` were not
/// stored: the disk refused, or they were never given away.
std::string encode_skipped(std::uint64_t last_stored);
Result<std::uint64_t> decode_skipped(std::string_view payload);

/// kSetAside: `monitor` does not look at the message `sequence`; it failed on it repeatedly.
struct SetAside {
  std::uint64_t sequence{};
  std::string monitor;

  friend bool operator==(const SetAside&, const SetAside&) = default;
};
std::string encode_set_aside(const SetAside& set_aside);
Result<SetAside> decode_set_aside(std::string_view payload);

}  // namespace sluice::storage
