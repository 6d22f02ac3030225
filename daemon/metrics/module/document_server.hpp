// DocumentServer: answers GET /metrics, and nothing else, to whoever connects; on one thread.
//
// Nobody can keep others from it: a connection costs a descriptor and a few KiB, not a thread; it
// has a time to end in; and where there are too many, the one that has been there longest is
// closed.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <string>
#include <thread>

namespace sluice::daemon {

class DocumentServer {
 public:
  static constexpr std::size_t kMostConnections = 32;
  static constexpr std::size_t kLongestRequest = 8192;
  /// From the first byte of a connection to its last.
  static constexpr std::chrono::seconds kTimeForAll{10};

  /// Takes over `listener`, a listening socket. `make` gives the document, on the server's thread.
  /// Throws std::exception where the system gives no descriptor or thread.
  DocumentServer(int listener, std::string content_type, std::function<std::string()> make);
  ~DocumentServer();
  DocumentServer(const DocumentServer&) = delete;
  DocumentServer& operator=(const DocumentServer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection {
    int fd{};
    Clock::time_point until;
    std::string request;
    std::string answer;  ///< empty until the request is whole
    std::size_t sent{};
  };

  void run();
  int patience() const;  ///< in milliseconds
  void accept_all();
  /// Whether it is over.
  bool serve(Connection& connection);
  static bool read_request(Connection& connection);
  static bool send_answer(Connection& connection);
  std::string answer_to(const std::string& request) const;
  void close_oldest();

  const int listener_;
  const int wake_;  ///< an eventfd; readable once the server is to end
  const std::string content_type_;
  const std::function<std::string()> make_;
  std::list<Connection> connections_;  ///< the oldest first; server's thread
  std::thread thread_;
};

}  // namespace sluice::daemon
