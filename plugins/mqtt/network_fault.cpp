// Paho says no more than "TCP/TLS connect failure". A person needs to know whether the name is
// wrong, the broker down or the network away, so after a failure the way is tried again by hand.
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "plugins/mqtt/reasons.hpp"
#include "plugins/mqtt/server_uri.hpp"

namespace sluice::mqtt {
namespace {

constexpr int kPatienceMs = 1'000;

// 0, or the errno that keeps us from connecting.
int try_connect(const addrinfo& address) {
  const int fd = ::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return errno;
  int fault = 0;
  if (::connect(fd, address.ai_addr, address.ai_addrlen) != 0) fault = errno;
  if (fault == EINPROGRESS) {
    pollfd wait{fd, POLLOUT, 0};
    fault = ETIMEDOUT;
    socklen_t size = sizeof fault;
    if (::poll(&wait, 1, kPatienceMs) == 1) ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &fault, &size);
  }
  ::close(fd);
  return fault;
}

}  // namespace

std::string network_fault(const std::string& uri) {
  const HostPort target = split_uri(uri);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int rc = ::getaddrinfo(target.host.c_str(), target.port.c_str(), &hints, &found);
  if (rc != 0)
    return "host name " + target.host + " cannot be looked up (" + ::gai_strerror(rc) +
           "): check 'servers' and the name service";
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses{found, &::freeaddrinfo};
  int fault = 0;
  for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next) {
    fault = try_connect(*one);
    if (fault == 0) return {};
  }
  if (fault == ECONNREFUSED) return "connection refused: is a broker listening at " + uri + "?";
  if (fault == ETIMEDOUT)
    return uri + " does not answer: is the host up, and does no firewall stand between?";
  return "cannot reach " + uri + ": " + std::strerror(fault);
}

}  // namespace sluice::mqtt
