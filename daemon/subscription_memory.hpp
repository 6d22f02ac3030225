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
  /// Of what begin() returned, the broker may still know `former`; the rest it has taken back.
  /// Writes only what is news.
  void keep(const std::vector<std::string>& former);

 private:
  void write() const;

  const std::string path_;
  Log& log_;
  std::vector<std::string> current_;
  std::vector<std::string> former_;
};

}  // namespace sluice::daemon
