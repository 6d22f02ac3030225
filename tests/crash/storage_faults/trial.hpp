// One trial: a checkpoint store lives through a fault, is opened again without one, and must have
// all that it ever confirmed.
#pragma once

#include <cstdint>
#include <string>

#include "tests/support/fault_vfs.hpp"

namespace sluice::crash {

/// What is there before the fault.
enum class Before {
  kNothing,
  kKilled,  ///< checkpoints and a copy, the newest of them in the write-ahead log only
};

struct TrialSetup {
  test::Fault fault{};
  std::uint64_t nth{};  ///< operation that meets it
  bool lasting{};
  Before before{};
  test::Unsynced unsynced{};  ///< for power cuts
  std::uint64_t seed{};
};

struct TrialResult {
  bool fired{};           ///< else the fault's turn never came
  std::string violation;  ///< what was broken; empty if nothing was
};

TrialResult run_trial(const TrialSetup& setup);

}  // namespace sluice::crash
