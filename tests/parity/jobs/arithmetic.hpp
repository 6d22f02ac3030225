// The documents' int sums wrap around at 32 bits, and so do these (JOB-04, JOB-05). Sluice's own
// monitors sum in 64-bit doubles.
#pragma once

#include <cstdint>

namespace sluice::parity {

/// a + b as 32-bit machines have it, without C++'s undefined overflow.
constexpr std::int32_t wrapping_add(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

}  // namespace sluice::parity
