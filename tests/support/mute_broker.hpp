// A broker that says as little as a test wants it to: it accepts clients, knows which packets they
// send, and leaves the chosen ones unanswered or refuses them. It delivers nothing to anybody but
// what deliver() says. One thread, and some of its own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "tests/support/process.hpp"

namespace sluice::test {

class MuteBroker {
 public:
  /// The packet types of MQTT that a client sends and wants answered.
  enum Packet : std::uint8_t { kConnect = 1, kPublish = 3, kSubscribe = 8, kUnsubscribe = 10 };

  /// Listens on a free loopback port and answers all. Throws std::runtime_error.
  MuteBroker();
  ~MuteBroker();
  MuteBroker(const MuteBroker&) = delete;
  MuteBroker& operator=(const MuteBroker&) = delete;

  std::uint16_t port() const { return port_; }
  /// "mqtt://127.0.0.1:<port>".
  std::string uri() const { return "mqtt://127.0.0.1:" + std::to_string(port_); }

  /// From now on packets of this type are read and not answered, or answered again.
  void ignore(Packet type, bool ignored = true);
  /// The reason code for packets of this type from now on; for a SUBSCRIBE what is granted, 1 at
  /// first.
  void answer(Packet type, std::uint8_t code);
  /// Sends this packet as it is to all clients that have connected.
  void deliver(const std::string& packet);
  /// Closes all connections, without a word.
  void hang_up();

  /// How many of them have come.
  std::size_t count(Packet type) const;
  bool wait_for_count(Packet type, std::size_t count);

 private:
  struct Client {
    int fd{-1};
    bool v5{};
    bool connected{};
    std::thread thread;
  };
  void accept_all();
  void serve(Client& client);
  std::string reply_to(Client& client, std::uint8_t first, const std::string& body);

  std::uint16_t port_{};
  int listener_{-1};
  mutable std::mutex mutex_;  ///< of the rest but the thread
  std::condition_variable changed_;
  std::set<Packet> ignored_;
  std::map<Packet, std::uint8_t> codes_{{kSubscribe, std::uint8_t{1}}};
  std::map<Packet, std::size_t> counts_;
  std::list<Client> clients_;
  std::thread thread_;
};

}  // namespace sluice::test
