#include "daemon/sd_notify.hpp"

#include <systemd/sd-daemon.h>

#include <string>

#include "daemon/logging.hpp"
#include "pipeline/base/log.hpp"

namespace sluice::daemon {

namespace {

/// A manager that does not listen is no reason to stop watching water: failures are ignored.
void notify(const std::string& state) noexcept { static_cast<void>(::sd_notify(0, state.c_str())); }

}  // namespace

void ServiceManager::ready() const noexcept { notify("READY=1"); }

void ServiceManager::status(std::string_view text) const noexcept {
  try {
    // A line end would begin another assignment.
    notify("STATUS=" + excerpt(one_line(text), 500));
  } catch (...) {  // out of memory
  }
}

void ServiceManager::watchdog() const noexcept { notify("WATCHDOG=1"); }

void ServiceManager::stopping() const noexcept { notify("STOPPING=1"); }

void ServiceManager::extend_timeout(std::chrono::milliseconds by) const noexcept {
  try {
    notify("EXTEND_TIMEOUT_USEC=" + std::to_string(by.count() * 1000));
  } catch (...) {  // out of memory
  }
}

}  // namespace sluice::daemon
