#include "tests/support/relay.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "tests/support/loopback.hpp"

namespace sluice::test {
namespace {

int new_socket() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

/// Until one of the ends is gone; then the other one goes as well.
void carry(int from, int to) {
  std::array<char, 65536> buffer;
  ssize_t got = 0;
  while ((got = ::recv(from, buffer.data(), buffer.size(), 0)) > 0) {
    // Blocks while the other end is slow, and returns early only if it is gone.
    if (::send(to, buffer.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL) != got) break;
  }
  ::shutdown(from, SHUT_RDWR);
  ::shutdown(to, SHUT_RDWR);
}

}  // namespace

Relay::Relay(std::uint16_t server_port) : server_port_{server_port}, listener_{new_socket()} {
  port_ = listen_on_free_port(listener_);
  thread_ = std::thread{[this] { accept_all(); }};
}

Relay::~Relay() {
  ::shutdown(listener_, SHUT_RDWR);  // accept() returns
  thread_.join();
  cut();
  ::close(listener_);
}

void Relay::cut() {
  const std::lock_guard lock{mutex_};
  is_cut_ = true;
  for (const Link& link : links_) {
    ::shutdown(link.client, SHUT_RDWR);
    ::shutdown(link.server, SHUT_RDWR);
  }
  for (Link& link : links_) {
    link.up.join();
    link.down.join();
    ::close(link.client);
    ::close(link.server);
  }
  links_.clear();
}

void Relay::mend() {
  const std::lock_guard lock{mutex_};
  is_cut_ = false;
}

void Relay::accept_one(int client) {
  const std::lock_guard lock{mutex_};
  const int server = new_socket();
  const sockaddr_in address = loopback(server_port_);
  if (is_cut_ ||
      ::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(client);
    ::close(server);
    return;
  }
  const int on = 1;
  ::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  Link& link = links_.emplace_back();
  link.client = client;
  link.server = server;
  link.up = std::thread{[client, server] { carry(client, server); }};
  link.down = std::thread{[client, server] { carry(server, client); }};
}

void Relay::accept_all() {
  for (int client = 0; (client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;)
    accept_one(client);
}

}  // namespace sluice::test
