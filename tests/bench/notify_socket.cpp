#include "tests/bench/notify_socket.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

namespace sluice::bench {

NotifySocket::NotifySocket() : fd_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)} {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path().c_str(), sizeof address.sun_path - 1);
  if (::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("cannot bind " + path());
  }
}

NotifySocket::~NotifySocket() { ::close(fd_); }

void NotifySocket::wait_for_ready(std::chrono::seconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < until) {
    pollfd poll{fd_, POLLIN, 0};
    if (::poll(&poll, 1, 100) <= 0) continue;
    char text[1024];
    const ssize_t size = ::recv(fd_, text, sizeof text, 0);
    if (size > 0 && std::string_view{text, static_cast<std::size_t>(size)}.find("READY=1") !=
                        std::string_view::npos) {
      return;
    }
  }
  throw std::runtime_error("the daemon does not get ready");
}

}  // namespace sluice::bench
