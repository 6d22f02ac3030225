// Counts calls of operator new in this program, and what the heap holds.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice::bench {

/// Since the program began, on all threads.
std::uint64_t allocations();

/// Bytes that the program has from the heap at present, with the allocator's own overhead.
std::size_t heap_bytes();

}  // namespace sluice::bench
