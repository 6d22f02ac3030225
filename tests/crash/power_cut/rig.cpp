#include "tests/crash/power_cut/rig.hpp"

#include <cmath>
#include <csignal>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "storage/checkpoint_store.hpp"
#include "tests/crash/kill_loop/configuration.hpp"
#include "tests/crash/kill_loop/ledger.hpp"
#include "tests/support/quiet_log.hpp"

namespace sluice::crash {

using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kLoudSensors = 20;
constexpr std::uint64_t kQuietSensors = 200;
constexpr const char* kSyncInterval = "500ms";
// The interval, what a sync takes, and what a busy machine adds to hearing of a reading.
constexpr std::chrono::milliseconds kWindow = 500ms + 700ms;
// So long after the cut something may still be heard that was said before.
constexpr std::chrono::milliseconds kEcho = 100ms;

test::BrokerSetup broker_setup() {
  test::BrokerSetup setup;
  setup.global_lines = "max_queued_messages 0\n";
  setup.log_type = "error";
  return setup;
}

}  // namespace

PowerRig::PowerRig(PowerOptions options)
    : options_{std::move(options)},
      random_{options_.seed},
      broker_{broker_setup()},
      cable_{broker_.port()},
      publisher_{broker_.uri()},
      commander_{broker_.uri()},
      ear_{broker_.uri(),
           "power-cut-ear",
           {std::string{"sluice/rig/alert/"} + kAlertMonitor + "/#",
            std::string{"sluice/rig/value/"} + kCountMonitor + "/#"},
           [this](const test::ProbeMessage& message) { listen(message); }} {
  ConfigurationSetup setup{.data = data(), .broker = cable_.uri()};
  setup.sync = options_.sync;
  setup.sync_interval = kSyncInterval;
  setup.alert_sensors = "loud*";
  configuration_ = folder_.write("sluice.toml", configuration(setup)).string();
}

void PowerRig::listen(const test::ProbeMessage& message) {
  const auto document = nlohmann::json::parse(message.payload, nullptr, false);
  if (!document.is_object() || !document.contains("value")) return;
  const auto& value = document.at("value");
  if (message.topic.find("/alert/") != std::string::npos)
    ledger_.heard_alert(static_cast<std::uint64_t>(std::llround(value.get<double>())),
                        document.at("id"));
  else
    ledger_.heard_count(static_cast<std::uint64_t>(std::llround(value.at("level").get<double>())));
}

std::chrono::milliseconds PowerRig::below(int milliseconds) {
  return std::chrono::milliseconds{random_() % static_cast<std::uint64_t>(milliseconds)};
}

void PowerRig::start_daemon() {
  daemon_ = std::make_unique<test::Process>(
      test::Process::Setup{options_.sluice, {"run", "-c", configuration_}, {}, {}});
}

void PowerRig::publish(bool loud) {
  const std::uint64_t number = next_++;
  const std::string sensor = loud ? "loud" + std::to_string(number % kLoudSensors)
                                  : "quiet" + std::to_string(number % kQuietSensors);
  publisher_.publish_soon("in/" + sensor, std::to_string(number));
  ledger_.published(number, loud);
}

void PowerRig::publish_until_told() {
  std::mt19937 random{static_cast<unsigned>(options_.seed)};
  // Spells with alerts, each of which takes all before it to the disk, and spells without.
  for (bool loud = false; !stop_publishing_; loud = !loud) {
    const auto spell = PowerClock::now() + std::chrono::milliseconds{random() % 1500};
    while (!stop_publishing_ && PowerClock::now() < spell) {
      publish(loud && random() % 8 == 0);
      // A pace that the daemon holds easily: this rig is about cuts, not about load.
      std::this_thread::sleep_for(1ms);
    }
  }
  publisher_.flush();
}

bool PowerRig::wait_for_alert_of_last(std::chrono::milliseconds limit) {
  publisher_.flush();
  for (const auto until = PowerClock::now() + limit; PowerClock::now() < until;) {
    if (ledger_.has_heard_alert(next_ - 1)) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

void PowerRig::make_session() {
  start_daemon();
  // What nobody has subscribed to is not owed: the session must exist before the first reading.
  for (int i = 0; i < 300; ++i) {
    commander_.publish("in/hello", "0");
    if (ledger_.has_heard_count(0)) break;
    std::this_thread::sleep_for(100ms);
    if (i == 299) throw std::runtime_error{"the daemon never answered: " + daemon_->errors()};
  }
  // The first reading of a sensor raises no alert; from here on each loud one does, being far
  // enough from 0.
  next_ = 10;
  for (std::uint64_t i = 0; i < kLoudSensors; ++i) {
    commander_.publish("in/loud" + std::to_string(i), "0");
  }
  publish(true);
  if (!wait_for_alert_of_last(test::kLimit)) throw std::runtime_error{"there was no alert"};
  daemon_->signal(SIGTERM);
  if (daemon_->wait() != test::ExitStatus{0, {}})
    throw std::runtime_error{"the first run did not end well: " + daemon_->errors()};
}

void PowerRig::wait_for_moment() {
  switch (static_cast<Moment>(random_() % static_cast<std::uint64_t>(Moment::kMoments))) {
    case Moment::kStarting: std::this_thread::sleep_for(below(80)); break;
    case Moment::kCheckpointing:
      std::this_thread::sleep_for(150ms + below(300));
      commander_.publish("sluice/rig/command/checkpoint", "");
      std::this_thread::sleep_for(below(30));
      break;
    case Moment::kStopping:
      std::this_thread::sleep_for(150ms + below(300));
      daemon_->signal(SIGTERM);
      std::this_thread::sleep_for(below(40));
      break;
    case Moment::kRunning:
    case Moment::kMoments: std::this_thread::sleep_for(100ms + below(2000)); break;
  }
}

void PowerRig::cut_power() {
  // All at once is what a power cut is. What comes apart here must not give the daemon a chance
  // that it would not have: nothing it says after the disk has gone may be heard.
  if (random_() % 2 == 0) {
    daemon_->kill();
    cable_.cut();
    disk_.cut_power();
  } else {
    cable_.cut();
    disk_.cut_power();  // in the middle of whatever it writes
    daemon_->kill();
  }
  std::this_thread::sleep_for(kEcho);
  ledger_.power_cut(PowerClock::now());
}

void PowerRig::look_at_database() {
  // A copy, so that the daemon finds what the power cut has left.
  const test::TempDir folder;
  for (const char* name : {"sluice.db", "sluice.db-wal"}) {
    std::error_code none;
    std::filesystem::copy_file(std::filesystem::path{data()} / name, folder / name, none);
  }
  test::QuietLog log;
  auto opened = storage::CheckpointStore::open((folder / "sluice.db").string(), log);
  const std::string fault = !opened ? opened.error().message() : opened->notice;
  if (fault.empty())
    ++report_.databases_sound;
  else
    report_.databases_damaged.push_back(fault);
}

void PowerRig::one_round() {
  start_daemon();
  wait_for_moment();
  if (!daemon_->is_running() && daemon_->wait() != test::ExitStatus{0, {}})
    throw std::runtime_error{"the daemon ended by itself with " + to_string(*daemon_->wait()) +
                             ": " + daemon_->errors()};
  cut_power();
  disk_.restore_power();
  look_at_database();
  cable_.mend();
}

void PowerRig::finish_in_peace() {
  start_daemon();
  publish(true);
  if (!wait_for_alert_of_last(2min))
    throw std::runtime_error{"the daemon did not get through its backlog: " + daemon_->errors()};
  std::this_thread::sleep_for(kEcho);
  daemon_->signal(SIGTERM);
  if (daemon_->wait() != test::ExitStatus{0, {}})
    throw std::runtime_error{"the last run did not end well: " + daemon_->errors()};
}

PowerReport PowerRig::run() {
  make_session();
  std::exception_ptr failure;
  std::thread publisher{[this, &failure] {
    try {
      publish_until_told();
    } catch (...) {
      failure = std::current_exception();
    }
  }};
  try {
    for (int round = 0; round < options_.rounds; ++round) one_round();
  } catch (...) {
    stop_publishing_ = true;
    publisher.join();
    throw;
  }
  stop_publishing_ = true;
  publisher.join();
  if (failure) std::rethrow_exception(failure);
  finish_in_peace();
  auto counted = counted_readings(data() + "/sluice.db");
  counted.erase(0);  // of the greetings
  report_.verdict = ledger_.compare(counted, kWindow);
  const Promise promise = options_.sync == "each"    ? Promise::kNothing
                          : options_.sync == "alert" ? Promise::kLastInterval
                                                     : Promise::kLatest;
  report_.kept = report_.databases_damaged.empty() &&
                 report_.verdict.kept(promise, static_cast<std::uint64_t>(options_.rounds));
  return std::move(report_);
}

}  // namespace sluice::crash
