// Counts calls of operator new in this test program, which replaces it. One thread.
#pragma once

#include <cstdint>

namespace sluice::test {

/// Since the program began.
std::uint64_t allocations();

}  // namespace sluice::test
