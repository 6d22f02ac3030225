// What a soak must not exceed, and what it prints.
#pragma once

#include <cstdint>

namespace sluice::soak {

struct Report;

inline constexpr std::uint64_t kMostJournalAfterRestart = 4 << 20;  ///< bytes; segments have 1 MiB

/// Adds a violation for each promise that was not kept.
void check_bounds(Report& report);

/// Prints what was seen.
void print(const Report& report);

}  // namespace sluice::soak
