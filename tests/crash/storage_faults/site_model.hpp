// What the storage-faults rig writes: checkpoints that follow from their number alone, so that
// whatever is loaded can be compared with what it must be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "storage/checkpoint_store.hpp"

namespace sluice::crash {

/// The checkpoint with this journal sequence, 1, 2, 3, …
storage::CheckpointMeta model_meta(std::uint64_t number);
/// The changes from the one before.
storage::CheckpointDelta model_delta(std::uint64_t number);
/// Alerts with payloads of some kilobytes, most of them the same as before.
std::vector<Publication> model_outbox(std::uint64_t number);

/// What is wrong with it: a mixture, rows that are missing or from another checkpoint. Empty if it
/// is the whole checkpoint `loaded.meta.journal_sequence`, or there is none.
std::string difference_from_model(const storage::LoadedCheckpoint& loaded);

}  // namespace sluice::crash
