#include "tests/soak/world.hpp"

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

namespace sluice::soak {
namespace {

test::BrokerSetup broker_setup() {
  test::BrokerSetup setup;
  setup.persistence = true;
  setup.save_every = 300;  // it writes all it keeps each time
  // What waits for the daemon must wait, however long it is away.
  setup.global_lines = "max_queued_messages 0\nset_tcp_nodelay true\n";
  setup.log_type = "error";
  return setup;
}

Status parse_status(const nlohmann::json& document) {
  Status status;
  status.heard = Clock::now();
  status.healthy = document.at("healthy");
  status.conditions = document.at("conditions").dump();
  for (const char* kind : {"waiting_alerts", "waiting_status", "waiting_values"})
    status.waiting += document.at("outbox").at(kind).get<std::uint64_t>();
  status.readings = document.at("readings");
  status.alerts = document.at("alerts");
  status.duplicates = document.at("journal").at("duplicates");
  status.monitor_restarts = document.at("monitor_restarts");
  status.journalled = document.at("journal").at("last_sequence");
  status.checkpointed = document.at("checkpoint").at("last_sequence");
  return status;
}

}  // namespace

World::World(std::filesystem::path sluice, std::filesystem::path log, Books& books)
    : sluice_{std::move(sluice)},
      log_{std::move(log)},
      books_{books},
      disk_{folder_ / "data", "512m"},
      broker_{broker_setup()} {
  folder_.write("sluice.toml", configuration());
  set_clock({});
  ear_ = std::make_unique<test::Ear>(
      broker_.uri(), "soak-ear",
      std::vector<std::string>{"sluice/soak/alert/#", "sluice/soak/status/detail",
                               "sluice/soak/config-result/#"},
      [this](const test::ProbeMessage& message) { listen(message); });
}

World::~World() {
  ear_.reset();
  if (daemon_) kill_daemon();
}

std::string World::configuration() const {
  return "[site]\nid = \"soak\"\ndata_dir = \"" + data().string() + "\"\n[mqtt]\nservers = [\"" +
         broker_.uri() +
         "\"]\nreconnect_min = \"100ms\"\nreconnect_max = \"1s\"\nkeep_alive = \"5s\"\n"
         "publish_timeout = \"4s\"\n[plugins]\ndir = \"\"\n[checkpoint]\ninterval = \"10s\"\n"
         "[journal]\nsegment_size = \"1MiB\"\n" +
         sources_and_monitors();
}

bool World::has_clock() { return !std::string_view{SLUICE_LIBFAKETIME}.empty(); }

void World::set_clock(std::chrono::seconds off) {
  // As libfaketime reads it, and never seen half written.
  const std::string sign = off.count() < 0 ? "" : "+";
  const auto fresh = folder_.write("offset.new", sign + std::to_string(off.count()) + "\n");
  std::filesystem::rename(fresh, folder_ / "offset");
}

std::map<std::string, std::string> World::environment() const {
  if (!has_clock()) return {};
  return {{"LD_PRELOAD", SLUICE_LIBFAKETIME},
          {"FAKETIME_TIMESTAMP_FILE", (folder_ / "offset").string()},
          {"FAKETIME_CACHE_DURATION", "1"},
          {"FAKETIME_DONT_FAKE_MONOTONIC", "1"}};
}

void World::start_daemon() {
  daemon_ = std::make_unique<test::Process>(test::Process::Setup{
      sluice_, {"run", "-c", (folder_ / "sluice.toml").string()}, environment(), {}});
  started_ = Clock::now();
  pid_ = daemon_->pid();
}

void World::kill_daemon() {
  pid_ = 0;
  daemon_->kill();
  keep_log();
}

std::optional<test::ExitStatus> World::stop_daemon() {
  daemon_->signal(SIGTERM);
  const auto ended = daemon_->wait();
  pid_ = 0;
  keep_log();
  return ended;
}

std::string World::last_words() const {
  const std::string log = daemon_ ? daemon_->errors() : "it does not run";
  return log.size() > 2000 ? log.substr(log.size() - 2000) : log;
}

void World::keep_log() {
  std::ofstream out{log_, std::ios::app};
  out << daemon_->errors() << "-- end of process " << daemon_->pid() << "\n";
  daemon_.reset();
}

void World::listen(const test::ProbeMessage& message) {
  // Of something that a restart of the broker handed out again it is not known how old it is.
  if (message.retain) return;
  const auto document = nlohmann::json::parse(message.payload, nullptr, false);
  if (!document.is_object()) return;
  try {
    if (message.topic == "sluice/soak/status/detail") {
      const Status status = parse_status(document);
      const std::lock_guard lock{mutex_};
      status_ = status;
    } else if (message.topic.starts_with("sluice/soak/config-result/")) {
      if (document.at("accepted")) accepted_limit_ = document.at("setting").at("above");
    } else if (document.at("monitor") == "rise" || document.at("monitor") == kSetting) {
      books_.heard_alert(document.at("sensor"), document.at("value"), document.at("id"));
    }
  } catch (const nlohmann::json::exception&) {
    books_.heard_nonsense();
  }
}

std::optional<Status> World::status() const {
  const std::lock_guard lock{mutex_};
  return status_;
}

}  // namespace sluice::soak
