#include "tests/crash/broker/rig.hpp"

#include <algorithm>
#include <csignal>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <thread>

#include "tests/crash/kill_loop/configuration.hpp"
#include "tests/support/mqtt_probe.hpp"
#include "tests/support/proc.hpp"

namespace sluice::crash {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

namespace {

/// Of readings that are not numbered: higher than any number.
constexpr const char* kMarkerLevel = "1000000000";
constexpr const char* kAlarm = "high";

test::BrokerSetup broker_setup(const Network* network, const std::string& far_port) {
  test::BrokerSetup setup;
  setup.persistence = true;
  // What waits for the daemon must wait, however long it is away.
  setup.global_lines = "max_queued_messages 0\n";
  if (network != nullptr) {
    setup.listener_lines = "listener " + far_port + " " + network->address() + "\n";
  }
  return setup;
}

}  // namespace

BrokerRig::BrokerRig(std::string sluice, int mqtt, Network* network)
    : sluice_{std::move(sluice)},
      network_{network},
      far_port_{std::to_string(test::free_port())},
      broker_{broker_setup(network, far_port_)},
      courier_{broker_.uri()} {
  ConfigurationSetup setup{.data = (folder_ / "data").string(), .broker = broker_.uri()};
  if (network_ != nullptr) setup.broker = "mqtt://" + network_->address() + ":" + far_port_;
  setup.mqtt = mqtt;
  setup.mqtt_lines = "reconnect_max = \"500ms\"\nconnect_timeout = \"2s\"\nkeep_alive = \"" +
                     std::to_string(kKeepAlive.count()) + "s\"\npublish_timeout = \"5s\"\n";
  setup.monitors = std::string{"[[monitor]]\nname = \""} + kAlarm +
                   "\"\nkind = \"threshold\"\nabove = 999999999\nsensors = [\"gauge\"]\n";
  configuration_ = folder_.write("sluice.toml", configuration(setup)).string();
  listen_anew();
  start_daemon();
  if (!wait_until_through()) throw std::runtime_error{"it never answered: " + daemon_->errors()};
  courier_.send("in/gauge", kMarkerLevel);
  publish(2 * static_cast<int>(kSensors));
  if (!wait_until_through()) throw std::runtime_error{"it is stuck: " + daemon_->errors()};
  wait_for_alerts();
  first_memory_ = most_memory_ = memory();
}

BrokerRig::~BrokerRig() { ear_.reset(); }

void BrokerRig::start_daemon() {
  const std::vector<std::string> arguments{"run", "-c", configuration_};
  daemon_ = std::make_unique<test::Process>(network_ != nullptr
                                                ? network_->inside(sluice_, arguments)
                                                : test::Process::Setup{sluice_, arguments, {}, {}});
}

void BrokerRig::listen_anew() {
  ear_.reset();
  ear_ = std::make_unique<test::Ear>(broker_.uri(), "rig-ear",
                                     std::vector<std::string>{"sluice/rig/alert/#"},
                                     [this](const auto& message) { listen(message); });
}

void BrokerRig::listen(const test::ProbeMessage& message) {
  const std::lock_guard lock{mutex_};
  if (message.topic.starts_with(std::string{"sluice/rig/alert/"} + kAlertMonitor)) {
    alerts_.push_back(message);
  } else if (message.topic == "sluice/rig/alert/sluice/receiving") {
    fault_alerts_.push_back(message);
  }
}

test::MqttProbe::Messages BrokerRig::alerts() const {
  const std::lock_guard lock{mutex_};
  return alerts_;
}

/// Of the daemon itself, about its connection.
std::size_t BrokerRig::fault_alerts(const std::string& state) const {
  const std::lock_guard lock{mutex_};
  return static_cast<std::size_t>(
      std::count_if(fault_alerts_.begin(), fault_alerts_.end(), [&](const auto& alert) {
        return nlohmann::json::parse(alert.payload).at("state") == state;
      }));
}

void BrokerRig::publish(int count) {
  for (int n = 0; n < count; ++n) {
    const std::uint64_t number = published_++;
    courier_.send("in/" + sensor_of(number), std::to_string(number), [this, number](bool unsure) {
      if (unsure) unsure_.insert(number);
    });
  }
}

/// A sensor of its own tells that all before it has been through.
bool BrokerRig::wait_until_through() {
  courier_.flush();
  const std::string name = "marker" + std::to_string(++markers_);
  test::MqttProbe watcher{broker_.uri()};
  watcher.subscribe(std::string{"sluice/rig/value/"} + kCountMonitor + "/" + name);
  for (int n = 0; n < 150; ++n) {
    watcher.publish("in/" + name, kMarkerLevel);
    if (watcher.wait_for([](const auto& messages) { return !messages.empty(); }, 200ms)) {
      return true;
    }
  }
  return false;
}

/// Of all readings so far, or until no more come.
void BrokerRig::wait_for_alerts() {
  std::set<std::string> seen;
  for (int quiet = 0; quiet < 50; ++quiet) {
    const auto now = alerts();
    std::set<std::string> values;
    for (const auto& alert : now) {
      values.insert(nlohmann::json::parse(alert.payload).at("value").dump());
    }
    if (values.size() >= published_ - kSensors) return;
    if (values.size() != seen.size()) quiet = 0;
    seen = std::move(values);
    std::this_thread::sleep_for(100ms);
  }
}

/// The first status made from now on that fits, if one comes in time.
std::optional<nlohmann::json> BrokerRig::ask_for_status(
    const std::function<bool(const nlohmann::json&)>& fits) {
  test::MqttProbe probe{broker_.uri()};
  probe.subscribe("sluice/rig/status/detail");
  const auto until = SteadyClock::now() + test::kLimit;
  std::optional<nlohmann::json> found;
  const auto look = [&](const test::MqttProbe::Messages& messages) {
    // A retained one is older than the question.
    if (messages.empty() || messages.back().retain) return false;
    auto status = nlohmann::json::parse(messages.back().payload);
    if (fits(status)) found = std::move(status);
    return found.has_value();
  };
  while (!found && SteadyClock::now() < until) {
    probe.publish("sluice/rig/command/status", "");
    probe.wait_for(look, 300ms);
  }
  return found;
}

bool BrokerRig::wait_until_healthy() {
  return ask_for_status([](const auto& status) { return status.at("healthy") == true; })
      .has_value();
}

/// What a new subscriber gets: that we are there, and the alarm that has been active all along.
std::string BrokerRig::look_at_retained() {
  test::MqttProbe probe{broker_.uri()};
  probe.subscribe("sluice/rig/status");
  probe.subscribe(std::string{"sluice/rig/alarm/"} + kAlarm + "/gauge");
  const auto both = [](const test::MqttProbe::Messages& messages) {
    bool online = false;
    bool active = false;
    for (const auto& message : messages) {
      if (message.topic == "sluice/rig/status")
        online = message.payload == "online";
      else
        active = message.payload.find("\"state\":\"active\"") != std::string::npos;
    }
    return online && active;
  };
  return probe.wait_for(both, 10s) ? "" : "\"online\" or the active alarm is not retained; ";
}

/// How often the daemon has connected to receive.
std::size_t BrokerRig::connections() {
  const auto status = ask_for_status([](const auto&) { return true; });
  return status ? status->at("source").at("connects").get<std::size_t>() : 0;
}

/// Resident, in KiB.
long BrokerRig::memory() const {
  return static_cast<long>(test::proc_number(daemon_->pid(), "status", "VmRSS").value_or(0));
}

void BrokerRig::begin(const Fault& fault) {
  switch (fault.what) {
    case What::kStopped:
      // So that it has something for us when it stops.
      daemon_->signal(SIGSTOP);
      publish(50);
      courier_.flush();
      broker_.stop();
      daemon_->signal(SIGCONT);
      break;
    case What::kKilled:
    case What::kForgotten:
      // What it has not saved is lost with it, which is no fault of ours: it saves once a second.
      std::this_thread::sleep_for(1500ms);
      fault.what == What::kKilled ? broker_.kill() : broker_.forget();
      break;
    case What::kFrozen: broker_.freeze(); break;
    case What::kCut: network_->cut(); break;
  }
}

void BrokerRig::end(const Fault& fault) {
  switch (fault.what) {
    case What::kStopped:
    case What::kKilled: broker_.start(); break;
    case What::kForgotten:
      broker_.start();
      listen_anew();
      break;
    case What::kFrozen: broker_.thaw(); break;
    case What::kCut: network_->mend(); break;
  }
}

std::string BrokerRig::suffer(const Fault& fault) {
  const std::size_t told_before = fault_alerts("cleared");
  publish(50);
  if (!wait_until_through()) return "it was stuck before";
  const std::size_t connections_before = connections();
  wait_for_alerts();
  begin(fault);
  // As many as the rig can have on their way without an answer; with a cut they are answered.
  if (fault.what == What::kFrozen) publish(15);
  if (fault.what == What::kCut) publish(100);
  std::this_thread::sleep_for(fault.length);
  most_memory_ = std::max(most_memory_, memory());
  end(fault);
  publish(50);
  if (!wait_until_through()) return "no reading comes through any more: " + daemon_->errors();
  wait_for_alerts();
  most_memory_ = std::max(most_memory_, memory());
  return check(fault, connections_before, told_before);
}

std::string BrokerRig::check(const Fault& fault, std::size_t connections_before,
                             std::size_t told_before) {
  std::string wrong;
  if (!wait_until_healthy()) wrong += "its status says that not all is well; ";
  wrong += look_at_retained();
  if (fault.breaks_connection && connections() == connections_before)
    wrong += "it did not notice; ";
  // A condition is told when it has lasted five seconds, and over when it has been gone for five.
  if (!fault.breaks_connection || fault.length < 7s) return wrong;
  const auto until = SteadyClock::now() + test::kLimit;
  while (fault_alerts("cleared") == told_before && SteadyClock::now() < until) {
    std::this_thread::sleep_for(100ms);
  }
  if (fault_alerts("cleared") == told_before) wrong += "no alert told of it, or of its end; ";
  return wrong;
}

Verdict BrokerRig::conclude() {
  wait_for_alerts();
  daemon_->signal(SIGTERM);
  if (daemon_->wait() != test::ExitStatus{.code = 0, .signal = {}}) {
    throw std::runtime_error{"the daemon did not end well: " + daemon_->errors()};
  }
  auto counted = counted_readings((folder_ / "data/sluice.db").string());
  for (const std::uint64_t number : unsure_) {
    if (counted.contains(number)) counted[number] = 1;
  }
  return compare(published_, counted, alerts());
}

}  // namespace sluice::crash
