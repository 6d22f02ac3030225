// A subscriber that stays: the broker keeps its session, and it comes back by itself. What it hears
// goes to a listener and is not kept, so it can run for hours.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/mqtt_probe.hpp"

namespace sluice::test {

class Ear {
 public:
  /// Called in a thread of the MQTT library, one at a time; does not throw.
  using Listener = std::function<void(const ProbeMessage&)>;

  /// Subscribed with QoS 1 when it returns. Throws std::runtime_error where the broker says no.
  Ear(const std::string& uri, const std::string& client_id, std::vector<std::string> filters,
      Listener listener);
  ~Ear();
  Ear(const Ear&) = delete;
  Ear& operator=(const Ear&) = delete;

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace sluice::test
