// Who gets which operator state when a job is restored, perhaps with another number of instances.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/state/snapshot.hpp"

namespace sluice::detail {

/// The operator and broadcast states for one new instance. `former` are the snapshots of all old
/// instances. Union lists go whole to everyone (OS-04); split lists stay where they were if the
/// number is unchanged (OS-06), else are cut into contiguous runs (OS-05); broadcast state is the
/// old instance's of index `subtask mod old number` (BC-10).
std::vector<StateSnapshot> operator_states_for(std::uint32_t subtask, std::uint32_t parallelism,
                                               const std::vector<const OperatorSnapshot*>& former);

}  // namespace sluice::detail
