#include "daemon/watchdog.hpp"

#include <chrono>
#include <utility>

namespace sluice::daemon {

namespace {
constexpr std::chrono::milliseconds kTurn{250};
constexpr std::chrono::seconds kMoreTime{10};
}  // namespace

bool Watchdog::look(std::uint64_t progress) {
  if (progress == seen_) return false;
  seen_ = progress;
  manager_.watchdog();
  return true;
}

WatchdogStandIn::WatchdogStandIn(const ServiceManager& manager,
                                 std::function<std::uint64_t()> progress)
    : manager_{manager}, progress_{std::move(progress)}, thread_{[this] { run(); }} {}

WatchdogStandIn::~WatchdogStandIn() {
  {
    const std::lock_guard lock{mutex_};
    over_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void WatchdogStandIn::run() {
  Watchdog watchdog{manager_};
  std::unique_lock lock{mutex_};
  while (!wake_.wait_for(lock, kTurn, [this] { return over_; })) {
    if (watchdog.look(progress_())) manager_.extend_timeout(kMoreTime);
  }
}

}  // namespace sluice::daemon
