// Voice: what a person or a device says to the daemon between the readings. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <random>
#include <string>

#include "tests/soak/world.hpp"
#include "tests/support/courier.hpp"

namespace sluice::soak {

/// Asks every few milliseconds; false after `limit`.
bool wait_until(const std::function<bool()>& reached, std::chrono::milliseconds limit);

class Voice {
 public:
  Voice(World& world, Books& books)
      : world_{world}, books_{books}, courier_{world.broker().uri()} {}

  void command(const std::string& name);
  void set_limit(double above);
  double limit() const { return limit_; }
  void rubbish(int messages, std::mt19937_64& random);

  /// Sends a reading that raises an alert, and waits for it: all that the broker had before has
  /// then been through. False if none comes back.
  bool wait_for_echo(std::chrono::milliseconds limit = std::chrono::minutes{2});

  /// Until the daemon has said, after this call, that nothing is wrong with it.
  bool wait_until_healthy(std::chrono::milliseconds limit = std::chrono::minutes{1});

  /// Until all that it has seen up to now is in a checkpoint.
  bool wait_for_checkpoint(std::chrono::milliseconds limit = std::chrono::minutes{1});

 private:
  World& world_;
  Books& books_;
  test::Courier courier_;
  std::uint64_t echoes_{0};
  double limit_{0};
};

}  // namespace sluice::soak
