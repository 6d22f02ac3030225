// ConditionWatch: turns conditions that come and go into faults that begin and end, each said once.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "daemon/status_board.hpp"

namespace sluice::daemon {

/// One thread.
class ConditionWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Change {
    Condition condition;
    bool over{false};
  };

  /// This one was said already, perhaps by the process before this one: it is not said again, and
  /// is over unless it is there at the next looks.
  void remember(const Condition& condition, Time now);
  /// What began or ended. A condition counts when it has been there for five seconds, and is over
  /// when it has been gone for five: one that flutters is one fault.
  std::vector<Change> look(const std::vector<Condition>& conditions, Time now);

 private:
  struct Seen {
    Condition condition;
    Time first;  ///< of this stretch
    Time last;
    bool said{false};
  };
  std::map<std::string, Seen> seen_;
};

}  // namespace sluice::daemon
