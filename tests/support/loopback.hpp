// Where the servers of tests listen: this machine alone.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <stdexcept>

namespace sluice::test {

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// Binds a TCP socket to a port that is free, and returns that. Throws std::runtime_error.
inline std::uint16_t bind_to_free_port(int fd) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("no free port on 127.0.0.1");
  return ntohs(address.sin_port);
}

/// The same, and listens there.
inline std::uint16_t listen_on_free_port(int fd) {
  const std::uint16_t port = bind_to_free_port(fd);
  if (::listen(fd, 16) != 0) throw std::runtime_error("cannot listen on 127.0.0.1");
  return port;
}

}  // namespace sluice::test
