// SubscriptionMemory: which topic filters the broker may know by our session, in a small file.
//
// A session outlives the daemon, and with it subscriptions that the configuration no longer has:
// the broker would go on keeping their messages for us. So they are remembered until taken back.
#pragma once

#include <string>
#include <vector>

#include "pipeline/base/log.hpp"

namespace sluice::daemon {

/// Main thread. A file that cannot be read or written is said in the log, and no reason to stop.
class SubscriptionMemory {
 public:
  /// One filter a line. `log` outlives it.
  SubscriptionMemory(std::string path, Log& log) : path_{std::move(path)}, log_{log} {}

  /// Before these are subscribed to. Returns those of earlier runs that are not among them.
  std::vector<std::string> begin(std::vector<std::string> current);
  /// The broker has taken back what begin() returned. Calling it again does nothing.
  void settle();

 private:
  void write(const std::vector<std::string>& filters) const;

  const std::string path_;
  Log& log_;
  std::vector<std::string> current_;
  bool settled_{true};
};

}  // namespace sluice::daemon
