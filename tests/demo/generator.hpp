// Water levels of a made-up coast: five gauges, a day and a half.
#pragma once

#include <cstdint>

#include "tests/demo/record.hpp"

namespace sluice::demo {

/// Tide, noise, two surges, a stuck gauge, one that falls silent for hours, a gate that is opened,
/// and payloads that no gauge should send. Ends at `now` (seconds since 1970); always the same.
Record made_up_record(std::int64_t now);

}  // namespace sluice::demo
