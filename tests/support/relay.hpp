// A cable between a client and a server on this machine: what goes in at one end comes out at the
// other, until it is cut. One thread, and some of its own.
#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <thread>

namespace sluice::test {

class Relay {
 public:
  /// Listens on a free loopback port and connects each client to the server's. Throws
  /// std::runtime_error.
  explicit Relay(std::uint16_t server_port);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  /// "mqtt://127.0.0.1:<port>", for the client.
  std::string uri() const { return "mqtt://127.0.0.1:" + std::to_string(port_); }

  /// When it returns, nothing more goes through in either direction, and both ends see their
  /// connections broken. New ones are closed at once.
  void cut();
  /// New connections go through again.
  void mend();

 private:
  struct Link {
    int client{-1};
    int server{-1};
    std::thread up;
    std::thread down;
  };
  void accept_all();
  void accept_one(int client);

  std::uint16_t server_port_;
  std::uint16_t port_{};
  int listener_{-1};
  std::mutex mutex_;  ///< of the next two
  bool is_cut_{false};
  std::list<Link> links_;
  std::thread thread_;
};

}  // namespace sluice::test
