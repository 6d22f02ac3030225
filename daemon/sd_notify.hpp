// Talks to systemd: readiness, a status line, the watchdog. Without systemd ($NOTIFY_SOCKET unset)
// every call does nothing. Any thread.
#pragma once

#include <chrono>
#include <string_view>

namespace sluice::daemon {

class ServiceManager {
 public:
  /// Start-up is over: `systemctl start` returns.
  void ready() const noexcept;
  /// One line for `systemctl status`.
  void status(std::string_view text) const noexcept;
  /// The engine has made progress. After the unit's WatchdogSec= without it systemd aborts us.
  void watchdog() const noexcept;
  void stopping() const noexcept;
  /// Starting or stopping will take up to this long more.
  void extend_timeout(std::chrono::milliseconds by) const noexcept;
};

}  // namespace sluice::daemon
