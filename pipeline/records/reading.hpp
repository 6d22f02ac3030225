// Reading: one level of one sensor, decoded and checked.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/base/time.hpp"

namespace sluice {

enum class Quality : std::uint8_t {
  kGood = 0,
  kLate = 1,     ///< its time is behind the watermark
  kSuspect = 2,  ///< the sensor or network itself marked it as doubtful
};

std::string_view to_string(Quality quality);

/// No level is larger, up or down: whatever the unit, such a number is a mistake. Up to here sums
/// and differences of levels are finite, and whole numbers exact.
inline constexpr double kLargestLevel = 1e15;

/// A reading. `level` is always finite and at most kLargestLevel: all else is rejected when
/// decoding.
struct Reading {
  std::string sensor;  ///< the key of everything downstream; may hold any bytes
  double level{};      ///< in `unit`, after scale and offset
  std::string unit;    ///< "m", "cm", …; empty if the site did not say
  Timestamp time{};    ///< event time; the receive time where the payload has none
  Quality quality{Quality::kGood};

  friend bool operator==(const Reading&, const Reading&) = default;
};

}  // namespace sluice
