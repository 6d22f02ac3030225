#include "daemon/sd_notify.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "daemon/logging.hpp"
#include "pipeline/base/log.hpp"

namespace sluice::daemon {

namespace {

/// Sends one datagram to $NOTIFY_SOCKET, as sd_notify(3) describes it. A manager that does not
/// listen is no reason to stop watching water: failures are ignored.
void notify(std::string_view state) noexcept {
  const char* const variable = std::getenv("NOTIFY_SOCKET");
  const std::string_view path = variable == nullptr ? "" : variable;
  sockaddr_un address{};
  if (path.size() < 2 || path.size() >= sizeof address.sun_path) return;
  if (path.front() != '/' && path.front() != '@') return;
  address.sun_family = AF_UNIX;
  std::copy(path.begin(), path.end(), std::begin(address.sun_path));
  if (path.front() == '@') address.sun_path[0] = '\0';  // the abstract namespace
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  static_cast<void>(::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&address), size));
  ::close(fd);
}

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
