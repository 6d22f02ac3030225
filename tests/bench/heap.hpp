// What the heap holds.
#pragma once

#include <cstddef>

namespace sluice::bench {

/// Bytes that the program has from the heap at present, with the allocator's own overhead.
std::size_t heap_bytes();

}  // namespace sluice::bench
