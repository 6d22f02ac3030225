// The record of a soak: its samples and faults as CSV and as a plot, and what they say of memory.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/soak/sampler.hpp"

namespace sluice::soak {

/// When a fault began and ended, in the sampler's seconds.
struct Blow {
  const char* name{};
  double from{};
  double to{};
};

/// Writes samples.csv and faults.csv into the folder, and draws them to soak.svg. Empty, or why
/// there is no picture.
std::string write_record(const std::filesystem::path& folder, const std::vector<Sample>& samples,
                         const std::vector<Blow>& blows);

/// Resident memory of the process that lived longest, in MiB: medians of the first and of the last
/// third of its life after the warm-up.
struct Memory {
  double highest{0};  ///< of all processes
  double minutes{0};  ///< that are compared; 0: it did not live long enough
  double first{0};
  double last{0};
};
/// In its first minutes the daemon fills what has a fixed size: the window of known messages, the
/// copy of the database, the allocator's arenas.
Memory look_at_memory(const std::vector<Sample>& samples);

}  // namespace sluice::soak
