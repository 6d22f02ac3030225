// Trace: what jobs under test tell about themselves: timers that fired, life-cycle events.
#pragma once

#include "pipeline/functions/contexts.hpp"
#include "tests/parity/harness/values.hpp"

namespace sluice::parity {

/// The events of the current step. One for the whole program, which has one thread.
class Trace {
 public:
  static Trace& get();

  void event(const std::string& text) { events_.push_back(text); }
  void fired(TimeDomain domain, const std::string& key, Timestamp at);

  /// The lists since the last call.
  Json take_events() { return std::exchange(events_, Json::array()); }
  Json take_fired() { return std::exchange(fired_, Json::array()); }

 private:
  Json events_ = Json::array();
  Json fired_ = Json::array();
};

}  // namespace sluice::parity
