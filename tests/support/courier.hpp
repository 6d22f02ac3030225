// A publisher that stays: when a connection is lost it makes a new one and publishes again what
// was not acknowledged, as a sensor does. One thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace sluice::test {

class Courier {
 public:
  /// Called when the broker has acknowledged a message, in the thread that sends. `unsure`: it was
  /// published more than once, so the broker may have handed it out more than once.
  using Done = std::function<void(bool unsure)>;

  /// Connects when it first has something to send. `window`: most messages on their way.
  explicit Courier(std::string uri, std::size_t window = 20);
  ~Courier();
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;

  /// With QoS 1, in order. Waits while the window is full, for as long as the broker is away.
  void send(const std::string& topic, const std::string& payload, Done done = {},
            bool retain = false);

  /// Until all are acknowledged. Throws std::runtime_error if that takes longer than kLimit.
  void flush();

  /// Whether nothing is on its way. Waits for no acknowledgement, at most for a new connection.
  bool is_idle();

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace sluice::test
