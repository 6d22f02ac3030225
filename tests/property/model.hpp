// A model of timers and of state with time-to-live, written for obviousness: plain maps and sets,
// everything looked at each time. What the runtime does must be what this does.
#pragma once

#include <vector>

#include "tests/property/runs.hpp"

namespace sluice::property {

/// The reports that Everything must give at parallelism 1, one list for each step.
std::vector<std::vector<Report>> model_run(const Script& script,
                                           const std::optional<TtlConfig>& ttl);

}  // namespace sluice::property
