#include "tests/support/mute_broker.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <optional>

#include "tests/support/loopback.hpp"

namespace sluice::test {
namespace {

bool receive(int fd, std::string& into, std::size_t size) {
  into.resize(size);
  return size == 0 ||
         ::recv(fd, into.data(), size, MSG_WAITALL) == static_cast<ssize_t>(into.size());
}

/// The "remaining length" in front of each packet's body.
std::optional<std::size_t> receive_length(int fd) {
  std::size_t length = 0;
  std::string byte;
  for (unsigned shift = 0; shift < 28; shift += 7) {
    if (!receive(fd, byte, 1)) return std::nullopt;
    const auto bits = static_cast<std::uint8_t>(byte.front());
    length |= std::size_t{bits & 0x7FU} << shift;
    if ((bits & 0x80U) == 0) return length;
  }
  return std::nullopt;
}

std::string packet(std::uint8_t first, const std::string& body) {
  return std::string{static_cast<char>(first), static_cast<char>(body.size())} + body;
}

}  // namespace

MuteBroker::MuteBroker() : listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
  port_ = listen_on_free_port(listener_);
  thread_ = std::thread{[this] { accept_all(); }};
}

MuteBroker::~MuteBroker() {
  ::shutdown(listener_, SHUT_RDWR);  // accept() returns
  thread_.join();
  hang_up();
  for (Client& client : clients_) {
    client.thread.join();
    ::close(client.fd);
  }
  ::close(listener_);
}

void MuteBroker::ignore(Packet type, bool ignored) {
  const std::lock_guard lock{mutex_};
  if (ignored) {
    ignored_.insert(type);
  } else {
    ignored_.erase(type);
  }
}

void MuteBroker::answer(Packet type, std::uint8_t code) {
  const std::lock_guard lock{mutex_};
  codes_[type] = code;
}

void MuteBroker::deliver(const std::string& bytes) {
  const std::lock_guard lock{mutex_};
  for (const Client& client : clients_)
    if (client.connected) ::send(client.fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

void MuteBroker::hang_up() {
  const std::lock_guard lock{mutex_};
  for (const Client& client : clients_) ::shutdown(client.fd, SHUT_RDWR);
}

std::size_t MuteBroker::count(Packet type) const {
  const std::lock_guard lock{mutex_};
  const auto found = counts_.find(type);
  return found == counts_.end() ? 0 : found->second;
}

bool MuteBroker::wait_for_count(Packet type, std::size_t count) {
  std::unique_lock lock{mutex_};
  return changed_.wait_for(lock, kLimit, [&] { return counts_[type] >= count; });
}

void MuteBroker::accept_all() {
  while (true) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    const std::lock_guard lock{mutex_};
    Client& client = clients_.emplace_back();
    client.fd = fd;
    client.thread = std::thread{[this, &client] { serve(client); }};
  }
}

void MuteBroker::serve(Client& client) {
  std::string first;
  std::string body;
  while (receive(client.fd, first, 1)) {
    const auto length = receive_length(client.fd);
    if (!length || !receive(client.fd, body, *length)) break;
    const std::lock_guard lock{mutex_};
    const std::string reply = reply_to(client, static_cast<std::uint8_t>(first.front()), body);
    changed_.notify_all();
    if (!reply.empty()) ::send(client.fd, reply.data(), reply.size(), MSG_NOSIGNAL);
  }
  ::shutdown(client.fd, SHUT_RDWR);
}

// Under the lock. Every code below 0x80 that a PUBACK or UNSUBACK can have is a success.
std::string MuteBroker::reply_to(Client& client, std::uint8_t first, const std::string& body) {
  const unsigned type = first >> 4U;
  if (type == 12) return packet(0xD0, "");  // a ping
  const auto known = static_cast<Packet>(type);
  ++counts_[known];
  if (ignored_.contains(known)) return {};
  const std::string code(1, static_cast<char>(codes_[known]));
  const std::string no_properties = client.v5 ? std::string(1, '\0') : std::string{};
  switch (known) {
    case kConnect:
      client.v5 = body.at(6) == 5;
      client.connected = true;
      return packet(0x20, std::string(1, '\0') + code + std::string(client.v5 ? 1 : 0, '\0'));
    case kSubscribe: return packet(0x90, body.substr(0, 2) + no_properties + code);
    case kUnsubscribe:
      return packet(0xB0, body.substr(0, 2) + (client.v5 ? no_properties + code : ""));
    case kPublish: {
      if ((first & 0x06U) == 0) return {};  // QoS 0
      const auto high = static_cast<std::uint8_t>(body.at(0));
      const auto low = static_cast<std::uint8_t>(body.at(1));
      const std::string id = body.substr(2 + (std::size_t{high} << 8U) + low, 2);
      return packet(0x40, client.v5 ? id + code + no_properties : id);
    }
    default: return {};
  }
}

}  // namespace sluice::test
