#include "tests/crash/kill_loop/rig.hpp"

#include <csignal>
#include <exception>
#include <functional>
#include <stdexcept>

#include "tests/crash/kill_loop/configuration.hpp"

namespace sluice::crash {

using namespace std::chrono_literals;

namespace {

test::BrokerSetup broker_setup() {
  test::BrokerSetup setup;
  // What waits for the daemon must wait, however long it is dead.
  setup.global_lines = "max_queued_messages 0\n";
  return setup;
}

/// Runs a thread and hands on what it throws.
class Worker {
 public:
  explicit Worker(std::function<void()> body)
      : thread_{[this, body = std::move(body)] {
          try {
            body();
          } catch (...) {
            failure_ = std::current_exception();
          }
        }} {}
  void join() {
    thread_.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace

Rig::Rig(RigOptions options)
    : options_{std::move(options)},
      random_{options_.seed},
      broker_{broker_setup()},
      listener_{broker_.uri()},
      commander_{broker_.uri()},
      configuration_{write_configuration()} {
  listener_.subscribe(std::string{"sluice/rig/alert/"} + kAlertMonitor + "/#");
}

std::string Rig::write_configuration() const {
  ConfigurationSetup setup{.data = (folder_ / "data").string(), .broker = broker_.uri()};
  setup.qos = options_.qos;
  setup.mqtt = options_.mqtt;
  return folder_.write("sluice.toml", configuration(setup)).string();
}

std::unique_ptr<test::Process> Rig::start_daemon() const {
  return std::make_unique<test::Process>(
      test::Process::Setup{options_.sluice, {"run", "-c", configuration_}, {}, {}});
}

std::string Rig::refusal() const {
  test::Process check{{options_.sluice, {"check", "-c", configuration_}, {}, {}}};
  return check.wait() == test::ExitStatus{0, {}} ? "" : check.errors();
}

std::chrono::milliseconds Rig::below(int milliseconds) {
  return std::chrono::milliseconds{random_() % static_cast<std::uint64_t>(milliseconds)};
}

void Rig::one_round() {
  const auto daemon = start_daemon();
  switch (static_cast<Moment>(random_() % static_cast<std::uint64_t>(Moment::kMoments))) {
    case Moment::kStarting: std::this_thread::sleep_for(below(60)); break;
    case Moment::kCheckpointing:
      std::this_thread::sleep_for(100ms + below(200));
      commander_.publish("sluice/rig/command/checkpoint", "");
      std::this_thread::sleep_for(below(15));
      break;
    case Moment::kStopping:
      std::this_thread::sleep_for(100ms + below(200));
      daemon->signal(SIGTERM);
      std::this_thread::sleep_for(below(25));
      break;
    case Moment::kRunning:
    case Moment::kMoments: std::this_thread::sleep_for(50ms + below(400)); break;
  }
  // Killed earlier it would be the rig's fault, so say what the daemon itself died of.
  if (!daemon->is_running() && daemon->wait() != test::ExitStatus{0, {}}) {
    throw std::runtime_error{"the daemon ended by itself with " + to_string(*daemon->wait()) +
                             ": " + daemon->errors()};
  }
  daemon->kill();
}

void Rig::publish_until_told() {
  test::MqttProbe publisher{broker_.uri()};
  while (!stop_publishing_) {
    const std::uint64_t number = published_;
    publisher.publish_soon("in/" + sensor_of(number), std::to_string(number), options_.qos);
    ++published_;
    if (options_.pace > 0) std::this_thread::sleep_for(std::chrono::microseconds{options_.pace});
  }
  publisher.flush();
}

void Rig::finish_in_peace() {
  const auto daemon = start_daemon();
  test::MqttProbe watcher{broker_.uri()};
  watcher.subscribe(std::string{"sluice/rig/value/"} + kCountMonitor + "/end");
  // Behind all readings, on the same connection of the broker to the daemon. Again and again: with
  // QoS 0 the first ones go while nobody listens.
  for (int i = 0; i < 600; ++i) {
    commander_.publish("in/end", "0");
    if (watcher.wait_for([](const auto& messages) { return !messages.empty(); }, 500ms)) break;
    if (i == 599) {
      throw std::runtime_error{"the daemon did not get through its backlog: " + daemon->errors()};
    }
  }
  wait_for_last_alerts();
  daemon->signal(SIGTERM);
  if (daemon->wait() != test::ExitStatus{0, {}}) {
    throw std::runtime_error{"the last run did not end well: " + daemon->errors()};
  }
}

/// They wait for a sync of the journal, and then their turn; all are out when no more come.
void Rig::wait_for_last_alerts() const {
  std::size_t before = 0;
  for (auto now = listener_.count(); now != before; now = listener_.count()) {
    before = now;
    std::this_thread::sleep_for(3s);
  }
}

void Rig::make_session() {
  // What nobody has subscribed to is not owed: the session must exist before the first reading.
  test::MqttProbe watcher{broker_.uri()};
  watcher.subscribe("sluice/rig/value/seen/hello");
  const auto first = start_daemon();
  for (int i = 0; i < 300; ++i) {
    commander_.publish("in/hello", "0");
    if (watcher.wait_for([](const auto& messages) { return !messages.empty(); }, 100ms)) break;
    if (i == 299) throw std::runtime_error{"the daemon never answered: " + first->errors()};
  }
  first->signal(SIGTERM);
  first->wait();
}

Verdict Rig::run() {
  make_session();
  Worker publisher{[this] { publish_until_told(); }};
  std::exception_ptr failure;
  try {
    // Connecting takes a busy machine a while, and rounds without readings prove nothing.
    for (int i = 0; i < 3000 && published_ < kSensors; ++i) std::this_thread::sleep_for(10ms);
    for (int round = 0; round < options_.rounds; ++round) one_round();
  } catch (...) {
    failure = std::current_exception();
  }
  stop_publishing_ = true;
  publisher.join();
  if (failure) std::rethrow_exception(failure);
  finish_in_peace();
  return compare(published_, counted_readings((folder_ / "data/sluice.db").string()),
                 listener_.messages());
}

}  // namespace sluice::crash
