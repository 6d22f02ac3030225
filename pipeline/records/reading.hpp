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

/// A reading. `level` is always finite: null, NaN and infinities are rejected when decoding.
struct Reading {
  std::string sensor;  ///< the key of everything downstream; may hold any bytes
  double level{};      ///< in `unit`, after scale and offset
  std::string unit;    ///< "m", "cm", …; empty if the site did not say
  Timestamp time{};    ///< event time; the receive time where the payload has none
  Quality quality{Quality::kGood};

  friend bool operator==(const Reading&, const Reading&) = default;
};

}  // namespace sluice
