// The documents' int arithmetic wraps around at 32 bits, and so does this (JOB-01, JOB-04, JOB-05).
// Sluice's own monitors calculate in 64-bit doubles.
#pragma once

#include <cstdint>

namespace sluice::parity {

/// a + b as 32-bit machines have it, without C++'s undefined overflow.
constexpr std::int32_t wrapping_add(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

constexpr std::int32_t wrapping_sub(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}
/// The smallest number has no positive twin and stays what it is, as in Java.
constexpr std::int32_t wrapping_abs(std::int32_t a) { return a < 0 ? wrapping_sub(0, a) : a; }

}  // namespace sluice::parity
