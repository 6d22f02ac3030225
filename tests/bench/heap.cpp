#include "tests/bench/heap.hpp"

#include <malloc.h>

namespace sluice::bench {

std::size_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace sluice::bench
