#include "tests/support/courier.hpp"

#include <mqtt/async_client.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <deque>
#include <stdexcept>
#include <thread>

#include "tests/support/paho_uri.hpp"
#include "tests/support/process.hpp"

namespace sluice::test {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPoll{20};

std::string next_id() {
  static std::atomic<int> number{0};
  return "courier-" + std::to_string(::getpid()) + "-" + std::to_string(++number);
}

}  // namespace

class Courier::Inside {
 public:
  struct Letter {
    std::string topic;
    std::string payload;
    Done done;
    bool retain{};
    bool unsure{};
    mqtt::delivery_token_ptr token;
  };

  Inside(std::string uri, std::size_t window) : uri_{std::move(uri)}, window_{window} {
    std::signal(SIGPIPE, SIG_IGN);
  }
  ~Inside() {
    try {
      if (is_connected()) client_->disconnect()->wait_for(kLimit);
    } catch (const std::exception&) {
      // The broker may be gone by now.
    }
  }

  void send(Letter letter) {
    wait_until_at_most(window_ - 1, SteadyClock::time_point::max());
    waiting_.push_back(std::move(letter));
    if (!post(waiting_.back())) renew();
  }

  void wait_until_at_most(std::size_t count, SteadyClock::time_point until) {
    for (drop_done(); waiting_.size() > count; drop_done()) {
      if (SteadyClock::now() >= until) throw std::runtime_error("no answer from the broker");
      if (!is_connected())
        renew();
      else
        wait_for(waiting_.front());
    }
  }

  void drop_done() {
    while (!waiting_.empty() && is_acknowledged(waiting_.front())) {
      const Letter letter = std::move(waiting_.front());
      waiting_.pop_front();
      if (letter.done) letter.done(letter.unsure);
    }
  }

  bool is_idle() {
    drop_done();
    if (!waiting_.empty() && !is_connected()) renew();
    return waiting_.empty();
  }

 private:
  bool is_connected() const { return client_ && client_->is_connected(); }

  static bool is_acknowledged(const Letter& letter) {
    return letter.token && letter.token->is_complete() &&
           letter.token->get_return_code() == mqtt::SUCCESS;
  }

  static void wait_for(const Letter& letter) {
    try {
      if (letter.token && letter.token->wait_for(kPoll)) return;
    } catch (const mqtt::exception&) {
      // The connection is lost, which is_connected() will say.
    }
    std::this_thread::sleep_for(kPoll);
  }

  /// False where there is no connection.
  bool post(Letter& letter) {
    if (!is_connected()) return false;
    try {
      letter.token = client_->publish(letter.topic, letter.payload.data(), letter.payload.size(), 1,
                                      letter.retain);
      return true;
    } catch (const mqtt::exception&) {
      return false;
    }
  }

  /// A new connection, and all again that waits. On failure the next call tries again.
  void renew() {
    if (!connect()) return std::this_thread::sleep_for(kPoll);
    for (Letter& letter : waiting_) {
      letter.unsure = letter.unsure || letter.token;
      if (!post(letter)) return;
    }
  }

  bool connect() {
    drop_done();
    // A client of its own for each connection: nothing of the last one can come out of it.
    client_ = std::make_unique<mqtt::async_client>(paho_uri(uri_), next_id(),
                                                   mqtt::create_options{MQTTVERSION_3_1_1});
    mqtt::connect_options options;
    options.set_mqtt_version(MQTTVERSION_3_1_1);
    options.set_clean_session(true);
    options.set_connect_timeout(2);
    try {
      return client_->connect(options)->wait_for(std::chrono::seconds{5});
    } catch (const mqtt::exception&) {
      return false;
    }
  }

  std::string uri_;
  std::size_t window_;
  std::unique_ptr<mqtt::async_client> client_;
  std::deque<Letter> waiting_;
};

Courier::Courier(std::string uri, std::size_t window)
    : inside_{std::make_unique<Inside>(std::move(uri), window)} {}

Courier::~Courier() = default;

void Courier::send(const std::string& topic, const std::string& payload, Done done, bool retain) {
  inside_->send({topic, payload, std::move(done), retain, false, {}});
}

void Courier::flush() { inside_->wait_until_at_most(0, SteadyClock::now() + kLimit); }

bool Courier::is_idle() { return inside_->is_idle(); }

}  // namespace sluice::test
