// From a reading to its alert, over a real broker: what Sluice adds to the broker's own echo.
//
// One client publishes, another one subscribes to both the readings (the echo) and the alerts, so
// both times are taken by the same thread.
#include <mutex>
#include <stdexcept>
#include <thread>

#include "tests/bench/benchmarks.hpp"
#include "tests/bench/daemon_process.hpp"
#include "tests/bench/paho_wait.hpp"
#include "tests/bench/site.hpp"

namespace sluice::bench {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kBetween{10};
constexpr const char* kAlerts = "sluice/bench/alert/jump/#";

/// When each echo and each alert came, in order.
class Watcher final : public mqtt::callback {
 public:
  explicit Watcher(const std::string& uri) : client_{uri, "bench-watcher"} {
    client_.set_callback(*this);
    wait(client_.connect());
    wait(client_.subscribe(kSiteTopic, 1));
    wait(client_.subscribe(kAlerts, 1));
  }
  ~Watcher() override {
    try {
      wait(client_.disconnect());
    } catch (const std::exception&) {  // the broker is gone first: nothing to say good-bye to
    }
  }
  struct Times {
    std::vector<Clock::time_point> echoes;
    std::vector<Clock::time_point> alerts;
  };
  Times times() const {
    const std::lock_guard lock{mutex_};
    return times_;
  }
  void forget() {
    const std::lock_guard lock{mutex_};
    times_ = {};
  }

 private:
  void message_arrived(mqtt::const_message_ptr message) override {
    const auto now = Clock::now();
    const std::lock_guard lock{mutex_};
    (message->get_topic() == kSiteTopic ? times_.echoes : times_.alerts).push_back(now);
  }

  mqtt::async_client client_;
  mutable std::mutex mutex_;
  Times times_;
};

class Sensor {
 public:
  explicit Sensor(const std::string& uri) : client_{uri, "bench-sensor"} {
    wait(client_.connect());
  }
  /// Each level is far from the one before, so each reading after the first causes an alert.
  Clock::time_point publish() {
    const std::string payload = std::string{R"({"sensor":"s","level":)"} + (high_ ? "200" : "100") +
                                R"(,"battery":3.61,"rssi":-71})";
    high_ = !high_;
    const auto now = Clock::now();
    last_ = client_.publish(kSiteTopic, payload, 1, false);
    return now;
  }
  void flush() {
    if (last_) wait(last_);
  }

 private:
  mqtt::async_client client_;
  mqtt::token_ptr last_;
  bool high_{false};
};

/// Until the daemon has subscribed and answers, and all of that has come.
void warm_up(Sensor& sensor, Watcher& watcher) {
  const auto give_up = Clock::now() + kPatience;
  while (watcher.times().alerts.empty()) {
    if (Clock::now() > give_up) throw std::runtime_error("no alert comes");
    sensor.publish();
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
  }
  sensor.flush();
  std::this_thread::sleep_for(std::chrono::milliseconds{500});
  watcher.forget();
}

Watcher::Times all_of(const Watcher& watcher, std::size_t count) {
  const auto give_up = Clock::now() + kPatience;
  while (true) {
    auto times = watcher.times();
    if (times.echoes.size() > count || times.alerts.size() > count) {
      throw std::runtime_error("more came than was sent");
    }
    if (times.echoes.size() == count && times.alerts.size() == count) return times;
    if (Clock::now() > give_up) throw std::runtime_error("not all alerts came");
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
}

double milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

void print(Table& table, const std::string& figure, double share, double goal,
           const std::vector<double>& beyond, const std::vector<double>& echo) {
  const double value = quantile(beyond, share);
  table.print({.figure = figure,
               .ours = number(value, 2) + " ms",
               .baseline = number(quantile(echo, share), 2) + " ms",
               .goal = Goal{goal, false},
               .measured = value});
}

}  // namespace

void latency(const Effort& effort, Table& table) {
  table.section(
      "Reading to alert, 100 readings/s, each with an alert, sync = \"alert\": beyond the echo; "
      "baseline: the echo");
  Site site;
  DaemonProcess daemon{site.config_path()};
  Watcher watcher{site.broker().uri()};
  Sensor sensor{site.broker().uri()};
  warm_up(sensor, watcher);
  std::vector<Clock::time_point> sent;
  auto next = Clock::now();
  for (std::size_t i = 0; i < effort.alerts; ++i) {
    std::this_thread::sleep_until(next);
    next += kBetween;
    sent.push_back(sensor.publish());
  }
  sensor.flush();
  const auto times = all_of(watcher, effort.alerts);
  std::vector<double> echo;
  std::vector<double> beyond;
  for (std::size_t i = 0; i < effort.alerts; ++i) {
    echo.push_back(milliseconds(times.echoes[i] - sent[i]));
    beyond.push_back(milliseconds(times.alerts[i] - times.echoes[i]));
  }
  print(table, "p50", 0.5, 5, beyond, echo);
  print(table, "p99", 0.99, 20, beyond, echo);
  daemon.stop();
}

}  // namespace sluice::bench
