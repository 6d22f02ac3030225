// Talks to systemd: readiness, a status line, the watchdog. Without systemd ($NOTIFY_SOCKET unset)
// every call does nothing. Any thread.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace sluice::daemon {

class ServiceManager {
 public:
  /// Start-up is over: `systemctl start` returns.
  void ready() const noexcept;
  /// One line for `systemctl status`.
  void status(std::string_view text) const noexcept;
  /// The engine has made progress. To be called at least twice per watchdog_interval().
  void watchdog() const noexcept;
  void stopping() const noexcept;
  /// Stopping will take up to this long more.
  void extend_timeout(std::chrono::milliseconds by) const noexcept;

  /// After which time without watchdog() systemd aborts us; nothing if it does not watch.
  static std::optional<std::chrono::milliseconds> watchdog_interval() noexcept;
};

}  // namespace sluice::daemon
