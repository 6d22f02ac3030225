#include "plugins/mqtt/reach.hpp"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <thread>
#include <utility>

#include "pipeline/base/log.hpp"

namespace sluice::mqtt {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSlice{20};
constexpr std::chrono::seconds kForOneAddress{1};

// Whoever cancels wants no sentence.
Error given_up() { return Error{ErrorCode::kUnavailable, "given up"}; }

int resolve(const HostPort& target, int flags, Addresses& found) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* first = nullptr;
  const int rc = ::getaddrinfo(target.host.c_str(), target.port.c_str(), &hints, &first);
  if (rc == 0)
    found = Addresses{first, [](const addrinfo* one) {
                        ::freeaddrinfo(const_cast<addrinfo*>(one));  // NOLINT: its own
                      }};
  return rc;
}

// 0, or the errno that keeps us from it.
int connect_to(const Socket& socket, const addrinfo& address, const Cancelled& cancelled) {
  if (::connect(socket.fd(), address.ai_addr, address.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  if (!socket.await(POLLOUT, Clock::now() + kForOneAddress, cancelled)) return ETIMEDOUT;
  int fault = 0;
  socklen_t size = sizeof fault;
  ::getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &fault, &size);
  return fault;
}

std::string describe(int fault, const std::string& uri) {
  if (fault == ECONNREFUSED) return "connection refused: is a broker listening at " + uri + "?";
  if (fault == ETIMEDOUT)
    return uri + " does not answer: is the host up, and does no firewall stand between?";
  return "cannot reach " + uri + ": " + std::strerror(fault);
}

}  // namespace

struct Resolver::Pending {
  std::mutex mutex;
  std::condition_variable changed;
  bool done{false};
  int rc{0};
  Addresses found;
};

Result<Addresses> Resolver::look_up(const HostPort& target, const Cancelled& cancelled) {
  Addresses found;
  if (resolve(target, AI_NUMERICHOST, found) == 0) return found;
  const std::string key = target.host + " " + target.port;
  std::shared_ptr<Pending> pending;
  {
    const std::lock_guard lock{mutex_};
    auto& known = pending_[key];
    if (!known) {
      auto fresh = std::make_shared<Pending>();
      std::thread{[target, mine = fresh] {
        Addresses result;
        const int rc = resolve(target, 0, result);
        const std::lock_guard done{mine->mutex};
        mine->rc = rc;
        mine->found = std::move(result);
        mine->done = true;
        mine->changed.notify_all();
      }}.detach();
      known = std::move(fresh);
    }
    pending = known;
  }
  const auto until = Clock::now() + patience_;
  std::unique_lock wait{pending->mutex};
  while (!pending->done) {
    if (cancelled()) return given_up();
    if (Clock::now() >= until)
      return Error{ErrorCode::kUnavailable,
                   "the look-up of host name " + target.host +
                       " takes too long: check the name service, or give the broker's address in "
                       "'servers'"};
    pending->changed.wait_for(wait, kSlice);
  }
  {
    const std::lock_guard lock{mutex_};
    pending_.erase(key);
  }
  if (pending->rc == 0) return pending->found;
  return Error{ErrorCode::kUnavailable, "host name " + target.host + " cannot be looked up (" +
                                            ::gai_strerror(pending->rc) +
                                            "): check 'servers' and the name service"};
}

Socket::~Socket() {
  if (fd_ >= 0) ::close(fd_);
}

bool Socket::await(short events, Clock::time_point until, const Cancelled& cancelled) const {
  pollfd wait{fd_, events, 0};
  while (!cancelled()) {
    if (::poll(&wait, 1, static_cast<int>(kSlice.count())) == 1) return true;
    if (Clock::now() >= until) return false;
  }
  return false;
}

Result<Socket> reach(const std::string& uri, Resolver& resolver, const Cancelled& cancelled) {
  const auto found = resolver.look_up(split_uri(uri), cancelled);
  if (!found) return found.error();
  int fault = 0;
  for (const addrinfo* one = found->get(); one != nullptr; one = one->ai_next) {
    Socket socket{::socket(one->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    fault = socket.fd() < 0 ? errno : connect_to(socket, *one, cancelled);
    if (fault == 0) return socket;
    if (cancelled()) return given_up();
  }
  return Error{ErrorCode::kUnavailable, describe(fault, uri)};
}

}  // namespace sluice::mqtt
