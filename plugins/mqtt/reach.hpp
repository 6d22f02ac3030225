// The way to a broker by hand: look up its name, connect, wait for a socket. For what Paho does not
// say, and for what it would wait for too long.
//
// Nothing here outlasts its time, or goes on once `cancelled` says true: whoever stops the daemon
// must not wait for a name server.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "pipeline/base/result.hpp"
#include "pipeline/base/time.hpp"
#include "plugins/mqtt/server_uri.hpp"

struct addrinfo;

namespace sluice::mqtt {

/// Asked about every 20 ms, on the caller's thread.
using Cancelled = std::function<bool()>;

using Addresses = std::shared_ptr<const addrinfo>;

/// A look-up cannot be ended, so it is made in a thread of its own, which is left alone if it takes
/// too long. Any thread.
class Resolver {
 public:
  /// `patience`: for one look-up.
  explicit Resolver(Duration patience) : patience_{patience} {}

  /// The addresses of a host; the error is a sentence that names it. While a look-up that took too
  /// long still goes on, no second one of the same name is begun.
  Result<Addresses> look_up(const HostPort& target, const Cancelled& cancelled);

 private:
  struct Pending;

  const Duration patience_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Pending>> pending_;
};

/// A connected socket that does not block; closed with it.
class Socket {
 public:
  explicit Socket(int fd) : fd_{fd} {}
  ~Socket();
  Socket(Socket&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
  Socket& operator=(Socket&&) = delete;

  int fd() const { return fd_; }
  /// Until it is ready for `events` of poll(); false if that takes too long, or it was cancelled.
  bool await(short events, std::chrono::steady_clock::time_point until,
             const Cancelled& cancelled) const;

 private:
  int fd_;
};

/// Connects to the first of the addresses that answers, a second for each. What keeps us from it is
/// a sentence with a cure; `uri` is in Paho's form.
Result<Socket> reach(const std::string& uri, Resolver& resolver, const Cancelled& cancelled);

}  // namespace sluice::mqtt
