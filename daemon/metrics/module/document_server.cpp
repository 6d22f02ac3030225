#include "daemon/metrics/module/document_server.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice::daemon {

namespace {

std::string answer(std::string_view status, std::string_view type, std::string_view body,
                   bool with_body = true) {
  std::string out = "HTTP/1.1 ";
  out += status;
  out += "\r\nContent-Type: ";
  out += type;
  out += "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n";
  if (with_body) out += body;
  return out;
}

std::string refusal(std::string_view status) {
  return answer(status, "text/plain; charset=utf-8", std::string{status} + "\n");
}

bool is_whole(const std::string& request) {
  return request.find("\r\n\r\n") != std::string::npos || request.find("\n\n") != std::string::npos;
}

int make_eventfd() {
  const int fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) throw std::system_error{errno, std::generic_category(), "eventfd"};
  return fd;
}

}  // namespace

DocumentServer::DocumentServer(int listener, std::string content_type,
                               std::function<std::string()> make)
    : listener_{listener},
      wake_{make_eventfd()},
      content_type_{std::move(content_type)},
      make_{std::move(make)} {
  try {
    thread_ = std::thread{[this] { run(); }};
  } catch (...) {
    ::close(wake_);
    throw;
  }
}

DocumentServer::~DocumentServer() {
  const std::uint64_t one = 1;
  while (::write(wake_, &one, sizeof one) < 0 && errno == EINTR) {
  }
  thread_.join();
  for (const Connection& connection : connections_) ::close(connection.fd);
  ::close(wake_);
  ::close(listener_);
}

void DocumentServer::run() {
  std::vector<pollfd> watched;
  while (true) {
    watched.assign({{wake_, POLLIN, 0}, {listener_, POLLIN, 0}});
    for (const Connection& connection : connections_) {
      const bool answering = !connection.answer.empty();
      watched.push_back({connection.fd, static_cast<short>(answering ? POLLOUT : POLLIN), 0});
    }
    if (::poll(watched.data(), watched.size(), patience()) < 0 && errno != EINTR) return;
    if (watched[0].revents != 0) return;
    const auto now = Clock::now();
    auto connection = connections_.begin();
    for (std::size_t i = 2; i < watched.size(); ++i) {
      const bool over = now >= connection->until || (watched[i].revents != 0 && serve(*connection));
      if (over) ::close(connection->fd);
      connection = over ? connections_.erase(connection) : std::next(connection);
    }
    if (watched[1].revents != 0) accept_all();
  }
}

int DocumentServer::patience() const {
  if (connections_.empty()) return -1;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      connections_.front().until - Clock::now());
  return static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0)) + 1;
}

void DocumentServer::accept_all() {
  while (true) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
      if (connections_.size() == kMostConnections) close_oldest();
      connections_.push_back({fd, Clock::now() + kTimeForAll, {}, {}, 0});
      continue;
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    // No descriptor left: without this, poll would say at once and for ever that one waits.
    if (errno == EMFILE || errno == ENFILE) {
      close_oldest();
      std::this_thread::sleep_for(std::chrono::milliseconds{100});
    }
    return;
  }
}

void DocumentServer::close_oldest() {
  if (connections_.empty()) return;
  ::close(connections_.front().fd);
  connections_.pop_front();
}

bool DocumentServer::serve(Connection& connection) {
  if (connection.answer.empty()) {
    if (!read_request(connection)) return true;
    if (connection.request.size() > kLongestRequest) {
      connection.answer = refusal("431 Request Header Fields Too Large");
    } else if (is_whole(connection.request)) {
      connection.answer = answer_to(connection.request);
    } else {
      return false;
    }
  }
  return send_answer(connection);
}

/// Takes what is there. False if the other side has gone.
bool DocumentServer::read_request(Connection& connection) {
  char buffer[2048];
  const ssize_t size = ::recv(connection.fd, buffer, sizeof buffer, 0);
  if (size < 0) return errno == EAGAIN || errno == EINTR;
  connection.request.append(buffer, static_cast<std::size_t>(size));
  return size > 0;
}

/// True once all of it is on its way, or nobody is there to take it.
bool DocumentServer::send_answer(Connection& connection) {
  while (connection.sent < connection.answer.size()) {
    const ssize_t size = ::send(connection.fd, connection.answer.data() + connection.sent,
                                connection.answer.size() - connection.sent, MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno != EAGAIN;
    connection.sent += static_cast<std::size_t>(size);
  }
  return true;
}

std::string DocumentServer::answer_to(const std::string& request) const {
  const std::string_view line = std::string_view{request}.substr(0, request.find_first_of("\r\n"));
  const std::size_t path_at = line.find(' ') + 1;
  const std::size_t path_end = line.rfind(" HTTP/1.");
  if (path_at == 0 || path_end == std::string_view::npos || path_end < path_at) {
    return refusal("400 Bad Request");
  }
  const std::string_view method = line.substr(0, path_at - 1);
  std::string_view path = line.substr(path_at, path_end - path_at);
  path = path.substr(0, path.find('?'));
  if (path != "/metrics") return refusal("404 Not Found");
  if (method != "GET" && method != "HEAD") return refusal("405 Method Not Allowed");
  try {
    return answer("200 OK", content_type_, make_(), method == "GET");
  } catch (const std::exception&) {
    return refusal("500 Internal Server Error");
  }
}

}  // namespace sluice::daemon
