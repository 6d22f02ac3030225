// What a soak must not exceed, and what it prints.
#pragma once

#include <cstdint>

namespace sluice::soak {

struct Report;

/// Bytes: 32 MiB are kept to recognise redeliveries after a start; a segment has 1 MiB.
inline constexpr std::uint64_t kMostJournalAfterRestart = 36 << 20;

/// Adds a violation for each promise that was not kept.
void check_bounds(Report& report);

/// Prints what was seen.
void print(const Report& report);

}  // namespace sluice::soak
