// The sending client: one thread that takes publications from the queue, hands them to Paho, and
// tells the queue what became of each. Paho's callbacks only note what happened.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "plugins/mqtt/connection.hpp"
#include "plugins/mqtt/window.hpp"

namespace sluice::mqtt {

class MqttSink final : public PublicationSink,
                       private ConnectionEvents,
                       private paho::iaction_listener {
 public:
  MqttSink(MqttOptions options, ConnectionObserver& observer, Log& log,
           std::function<bool()> is_receiving);
  ~MqttSink() override;

  Status start(PublicationQueue& queue) override;
  void stop(Duration patience) noexcept override;

 private:
  using Clock = std::chrono::steady_clock;

  /// Tells the queue, outside the lock.
  struct Settled {
    std::vector<Publication> delivered;
    std::vector<Publication> returned;
  };
  /// One that the broker refused: kept back for a while, or it would go round at full speed.
  struct Refused {
    Publication publication;
    Clock::time_point due;
  };

  // Paho's receiving thread, or with on_down() any.
  void on_open(paho::async_client&, std::size_t receive_maximum) noexcept override;
  void on_down() noexcept override;
  void on_message(const paho::message&) noexcept override {}
  std::string on_look(paho::async_client&) override;
  void on_success(const paho::token& token) override;
  void on_failure(const paho::token& token) override;
  void settle(Window::Ticket ticket, int reason, bool delivered);

  // Our thread.
  void run() noexcept;
  bool step();
  bool is_over();
  void settle_all();
  void check_deadlines();
  void greet();
  void announce();
  void wait_for_room();
  void wait_for_connection();
  Duration take_patience();
  void send(Publication publication);
  bool publish(const Publication& publication, Window::Ticket ticket);
  void say_goodbye();
  void return_rest();

  const MqttOptions options_;
  ConnectionObserver& observer_;
  Log& log_;
  const std::function<bool()> is_receiving_;
  PublicationQueue* queue_{};
  std::thread thread_;

  std::mutex mutex_;
  std::condition_variable changed_;
  Window window_;
  Settled settled_;
  std::deque<Refused> refused_;
  std::set<std::string> refused_topics_;  ///< told to the observer, not delivered since
  bool connected_{};
  bool doubtful_{};   ///< nothing was acknowledged in time, and nothing since
  bool greeted_{};    ///< the queue knows of this connection
  bool announced_{};  ///< "online" was sent over this connection
  bool goodbye_done_{};
  bool stopping_{};
  Clock::time_point drain_until_;    ///< when stopping: nothing new is sent after it
  Clock::time_point goodbye_until_;  ///< when stopping: the last status is not waited for longer
  Connection connection_;            // last: its threads use the rest
};

}  // namespace sluice::mqtt
