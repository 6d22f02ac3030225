// Watchdog: feeds systemd's watchdog with progress, not with the passing of time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "daemon/sd_notify.hpp"

namespace sluice::daemon {

/// One thread.
class Watchdog {
 public:
  explicit Watchdog(const ServiceManager& manager) : manager_{manager} {}
  /// True if there was progress since the last look.
  bool look(std::uint64_t progress);

 private:
  const ServiceManager& manager_;
  std::uint64_t seen_{0};
};

/// While this lives, a thread of its own looks at `progress`: for when the main one is busy with a
/// start or a stop, which may have a long journal to read. A start that makes progress also gets
/// more time than the unit gives it.
class WatchdogStandIn {
 public:
  /// `progress` is called on that thread.
  WatchdogStandIn(const ServiceManager& manager, std::function<std::uint64_t()> progress);
  ~WatchdogStandIn();
  WatchdogStandIn(const WatchdogStandIn&) = delete;
  WatchdogStandIn& operator=(const WatchdogStandIn&) = delete;

 private:
  void run();

  const ServiceManager& manager_;
  const std::function<std::uint64_t()> progress_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_{false};
  std::thread thread_;
};

}  // namespace sluice::daemon
