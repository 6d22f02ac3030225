// One client that is connected whenever it can be: connects, notices a loss, tries again for ever.
//
// Why our own thread and not Paho's automatic reconnect: that one does not start before a first
// connection has worked, keeps the password it was given, and says neither that an attempt failed
// nor why. Here the first attempt is like any other, the credentials file is read for each, and
// each failure is told in a sentence. Paho's reconnect() is not used either: it must not be mixed.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "plugins/mqtt/backoff.hpp"
#include "plugins/mqtt/connect_options.hpp"
#include "plugins/mqtt/reasons.hpp"

namespace sluice::mqtt {

/// What a connection's owner hears, on Paho's receiving thread, which also acknowledges and pings:
/// none of these may wait for anything from Paho, or throw.
class ConnectionEvents {
 public:
  virtual ~ConnectionEvents() = default;
  /// Each time a connection is made. Requests may be started on the client, not waited for; it
  /// counts as connected from Connection::settle() on. The broker takes `receive_maximum`
  /// publications before it wants to have acknowledged one.
  virtual void on_open(paho::async_client& client, std::size_t receive_maximum) noexcept = 0;
  /// Every now and then while it is up, on the connection's thread: answers that do not come, and
  /// requests to be made again. What it returns is why the connection must be given up: what
  /// "<the broker's address> " is put in front of; empty if it need not be.
  virtual std::string on_look(paho::async_client& client) = 0;
  /// After a loss, and after each failed attempt; also on the connection's or renew()'s thread.
  virtual void on_down() noexcept = 0;
  virtual void on_message(const paho::message& message) noexcept = 0;
};

class Connection final : private paho::callback, private paho::iaction_listener {
 public:
  /// All references outlive the connection.
  Connection(const MqttOptions& options, Role role, ConnectionEvents& events,
             ConnectionObserver& observer, Log& log);
  ~Connection() override;

  /// Fails only if Paho cannot make a client at all.
  Status start();

  /// Ends the connection in an orderly way, within about `patience`. After it returns, no event
  /// comes any more. Not from a callback.
  void stop(Duration patience) noexcept;

  /// What had to be asked of the broker over the new connection is answered. Any thread, also from
  /// on_open().
  void settle();

  /// Drops the connection and makes a new one; for when it is up and yet does nothing. `why` is
  /// what on_look() would return.
  void renew(const std::string& why);

  /// True while an attempt has failed and the next is waited for: nothing will move soon.
  bool is_waiting() const;

  /// Only between start() and stop().
  paho::async_client& client() { return *client_; }

 private:
  enum class State { kIdle, kConnecting, kFailed, kConnected, kLost, kWaiting };

  // Paho's receiving thread.
  void connected(const std::string& cause) override;
  void connection_lost(const std::string& cause) override;
  void message_arrived(paho::const_message_ptr message) override;
  void on_failure(const paho::token& token) override;
  void on_success(const paho::token& token) override;
  void disconnected(int reason_code);
  void lose(std::string reason, bool explained = true);

  // Our thread.
  void run() noexcept;
  std::string attempt();
  std::string try_to_connect(const std::string& uri);
  std::string await_connection(const std::string& uri);
  std::string serve();
  bool is_stopping() const;
  std::string uri() const;
  Result<std::optional<Credentials>> credentials();
  void pause(Duration length);
  void make_client();
  void disconnect(Duration patience) noexcept;

  const MqttOptions& options_;
  const Role role_;
  ConnectionEvents& events_;
  ConnectionObserver& observer_;
  Log& log_;
  std::vector<std::string> uris_;
  std::size_t next_uri_{};
  Backoff backoff_;
  Resolver resolver_;
  std::unique_ptr<paho::async_client> client_;
  std::thread thread_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  State state_{State::kIdle};
  bool stopping_{};
  bool opening_{};  ///< on_open is using the client
  bool settled_{};
  Duration patience_{};
  std::string uri_;  ///< of the present attempt or connection
  int failure_{};
  std::size_t receive_maximum_{65'535};  ///< what MQTT says if the broker does not
  std::string loss_;
  bool loss_explained_{};  ///< the broker, or we, have said why
};

}  // namespace sluice::mqtt
