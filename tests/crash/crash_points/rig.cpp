#include "tests/crash/crash_points/rig.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "tests/crash/kill_loop/configuration.hpp"

namespace sluice::crash {

using namespace std::chrono_literals;

namespace {

const test::ExitStatus kOrderly{.code = 0, .signal = {}};
const test::ExitStatus kDied{.code = 137, .signal = {}};  // see storage/crash_point.cpp

test::BrokerSetup broker_setup() {
  test::BrokerSetup setup;
  setup.global_lines = "max_queued_messages 0\n";
  return setup;
}

/// Of a reading that is not numbered: higher than any number.
constexpr const char* kMarkerLevel = "1000000000";

std::string noise() {
  std::string bytes(20000, '?');
  for (std::size_t n = 0; n < bytes.size(); ++n) bytes[n] = static_cast<char>(n * n % 251);
  return bytes;
}

}  // namespace

PointsRig::PointsRig(std::string sluice)
    : sluice_{std::move(sluice)}, broker_{broker_setup()}, publisher_{broker_.uri()} {
  start_over();
  make_session();
  publish(static_cast<int>(kSensors));  // from here on each reading raises an alert
  const auto daemon = start();
  wait_until_through(*daemon);
  stop(*daemon);
}

void PointsRig::start_over() {
  folder_ = std::make_unique<test::TempDir>();
  ConfigurationSetup setup{.data = (*folder_ / "data").string(), .broker = broker_.uri()};
  setup.segment_size = "64KiB";
  setup.checkpoints = "1h";  // each one is asked for
  configuration_ = folder_->write("sluice.toml", configuration(setup)).string();
  listener_ = std::make_unique<test::MqttProbe>(broker_.uri());
  listener_->subscribe(std::string{"sluice/rig/alert/"} + kAlertMonitor + "/#");
  published_ = 0;
  before_ = {};
}

PointsRig::Daemon PointsRig::start(const std::string& crash_at) const {
  test::Process::Setup setup{sluice_, {"run", "-c", configuration_}, {}, {}};
  if (!crash_at.empty()) setup.environment["SLUICE_CRASH_AT"] = crash_at;
  return std::make_unique<test::Process>(setup);
}

void PointsRig::stop(test::Process& daemon) const {
  daemon.signal(SIGTERM);
  if (daemon.wait() != kOrderly) {
    throw std::runtime_error{"the daemon did not end well: " + daemon.errors()};
  }
}

void PointsRig::make_session() {
  // What nobody has subscribed to is not owed: the session must exist before the first reading.
  const auto daemon = start();
  wait_until_through(*daemon);
  stop(*daemon);
}

void PointsRig::publish(int count) {
  for (int n = 0; n < count; ++n) {
    publisher_.publish_soon("in/" + sensor_of(published_), std::to_string(published_));
    ++published_;
  }
  publisher_.flush();
}

/// A sensor of its own tells that all before it has been through.
void PointsRig::wait_until_through(test::Process& daemon) {
  const std::string name = "marker" + std::to_string(++markers_);
  test::MqttProbe watcher{broker_.uri()};
  watcher.subscribe(std::string{"sluice/rig/value/"} + kCountMonitor + "/" + name);
  for (int n = 0; n < 150; ++n) {
    publisher_.publish("in/" + name, kMarkerLevel);
    if (watcher.wait_for([](const auto& messages) { return !messages.empty(); }, 200ms)) return;
  }
  throw std::runtime_error{"the daemon did not get through its backlog: " + daemon.errors()};
}

/// More than is kept for redeliveries, so that segments can go. No number, so no reading.
void PointsRig::publish_bulk() {
  const std::string bulk(200'000, '-');
  for (int n = 0; n < 180; ++n) publisher_.publish_soon("in/bulk", bulk);
  publisher_.flush();
}

void PointsRig::leave_a_journal() {
  const auto daemon = start();
  publish(50);
  wait_until_through(*daemon);
  daemon->kill();
  publish(50);
}

void PointsRig::damage_database() {
  folder_->write("data/sluice.db", noise());
  folder_->write("data/sluice.db-wal", noise());
}

void PointsRig::damage_journal() {
  std::filesystem::path newest;
  for (const auto& entry : std::filesystem::directory_iterator{*folder_ / "data/journal"}) {
    if (entry.path().extension() == ".log") newest = std::max(newest, entry.path());
  }
  std::ofstream{newest, std::ios::app | std::ios::binary} << noise();
  folder_->write("data/journal/00000000.log", noise());
}

void PointsRig::prepare(Way way) {
  if (way == Way::kFirstStart) start_over();
  if (way == Way::kDamagedStart) damage_database();
  if (way == Way::kStart || way == Way::kTornStart) leave_a_journal();
  if (way == Way::kTornStart) damage_journal();
  if (way == Way::kOldSegments) publish_bulk();
}

test::ExitStatus PointsRig::lead_to(const CrashPoint& point, test::Process& daemon) {
  const bool at_start = point.way == Way::kFirstStart || point.way == Way::kStart ||
                        point.way == Way::kDamagedStart || point.way == Way::kTornStart;
  const bool old_segments = point.way == Way::kOldSegments;
  for (int turn = 0; turn < 150; ++turn) {
    if (!at_start && turn < 60) publish(50);
    if (point.way == Way::kDamagedRun && turn == 3) damage_database();
    const bool checkpoints = point.way == Way::kCheckpoint || point.way == Way::kDamagedRun;
    if ((checkpoints || old_segments) && turn % 5 == 0) {
      publisher_.publish("sluice/rig/command/checkpoint", "");
    }
    if (point.way == Way::kStop && turn == 5) daemon.signal(SIGTERM);
    if (const auto ended = daemon.wait(100ms)) return *ended;
  }
  return {.code = {}, .signal = 0};  // it still runs
}

Verdict PointsRig::verdict() {
  const auto counted = counted_readings((*folder_ / "data/sluice.db").string());
  Verdict verdict;
  // The broker may still be handing out the last alerts.
  listener_->wait_for(
      [&](const auto& alerts) {
        verdict = compare(published_, counted, alerts);
        return verdict.alerts_missing == before_.alerts_missing;
      },
      5s);
  return verdict;
}

std::string PointsRig::try_point(const CrashPoint& point) {
  prepare(point.way);
  {
    const auto daemon = start(point.at);
    const auto ended = lead_to(point, *daemon);
    if (ended != kDied) {
      return "was never reached (" + to_string(ended) + ") " + daemon->errors();
    }
  }
  if (point.way != Way::kFirstStart) publish(50);  // while nobody is there
  const auto daemon = start();
  if (point.way == Way::kFirstStart) wait_until_through(*daemon);
  publish(point.way == Way::kFirstStart ? 2 * static_cast<int>(kSensors) : 50);
  wait_until_through(*daemon);
  stop(*daemon);

  const Verdict all = verdict();
  const auto repeated = all.alerts_repeated - before_.alerts_repeated;
  const auto unknown = repeated - (all.recognisable - before_.recognisable);
  std::string wrong;
  const auto check = [&wrong](std::uint64_t count, const char* what) {
    if (count != 0) wrong += std::to_string(count) + " " + what + " ";
  };
  check(all.lost - before_.lost, "lost");
  check(all.counted_twice - before_.counted_twice, "counted twice");
  check(all.alerts_missing - before_.alerts_missing, "alerts missing");
  check(unknown, "alerts repeated with another id");
  if (point.repeats == Repeats::kNever) check(repeated, "alerts repeated");
  if (point.repeats == Repeats::kSurely && repeated == 0) wrong += "no alert was repeated";
  before_ = all;
  return wrong;
}

}  // namespace sluice::crash
