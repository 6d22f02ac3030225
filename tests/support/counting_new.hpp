// Counts calls of operator new. It is replaced in the programs that call allocations(), and only
// there.
#pragma once

#include <cstdint>

namespace sluice::test {

/// Since the program began, on all threads.
std::uint64_t allocations();

}  // namespace sluice::test
