// The faults that a soak strikes with, as a table.
#pragma once

#include <chrono>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tests/soak/load.hpp"
#include "tests/soak/voice.hpp"
#include "tests/soak/world.hpp"

namespace sluice::soak {

/// What a fault has to hand.
struct Stage {
  World& world;
  Load& load;
  Voice& voice;
  std::mt19937_64& random;
  double pace;  ///< all times are multiplied by this
  std::vector<std::string>& violations;
  std::chrono::seconds& clock;  ///< how far the daemon's wall clock is off at rest

  /// A random time between the two.
  void pause(int from_ms, int to_ms);
  void require(bool promise, const std::string& otherwise);
};

struct Fault {
  const char* name;
  bool survived;  ///< the daemon's process lives on
  void (*strike)(Stage& stage);
};

/// All, or those that this machine can do: for a clock that is set it needs libfaketime.
std::span<const Fault> faults();

}  // namespace sluice::soak
