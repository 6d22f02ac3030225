#include "tests/integration/site.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <sstream>
#include <thread>

#include "daemon/json.hpp"

namespace sluice::test {
namespace {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Datum parsed(const std::string& payload) {
  auto document = daemon::parse_json(payload);
  return document ? std::move(*document) : Datum{};
}

bool starts(const std::string& topic, const std::string& start) {
  return topic.starts_with(Site::topic(start));
}

}  // namespace

std::filesystem::path sluice_program() { return std::filesystem::path{SLUICE_BIN_DIR} / "sluice"; }

Site::Site(MosquittoBroker& broker, SiteSetup setup) : broker_{broker}, setup_{std::move(setup)} {
  write_config();
}

void Site::write_config() const {
  std::ostringstream text;
  text << "[site]\nid = \"test\"\ndata_dir = \"" << data().string() << "\"\n"
       << "[mqtt]\nservers = [\"" << (setup_.server.empty() ? broker_.uri() : setup_.server)
       << "\"]\nprotocol = \"" << setup_.protocol
       << "\"\nreconnect_min = \"100ms\"\nreconnect_max = \"500ms\"\n"
       << setup_.mqtt_lines << setup_.source << setup_.monitors << setup_.other_tables;
  folder_.write("sluice.toml", text.str());
}

Process& Site::launch(std::map<std::string, std::string> environment) {
  daemon_ = std::make_unique<Process>(Process::Setup{.program = sluice_program(),
                                                     .arguments = {"run", "-c", config().string()},
                                                     .environment = std::move(environment),
                                                     .folder = {}});
  return *daemon_;
}

Process& Site::launch_by(const std::vector<std::string>& command) {
  daemon_ =
      std::make_unique<Process>(Process::Setup{.program = command.front(),
                                               .arguments = {command.begin() + 1, command.end()},
                                               .environment = {},
                                               .folder = {}});
  return *daemon_;
}

void Site::start(std::map<std::string, std::string> environment) {
  probe();
  const std::size_t before = count_of(broker_.log(), "Sending SUBACK to sluice-test-in");
  launch(std::move(environment));
  ASSERT_TRUE(daemon_->wait_for_text("info    ready")) << daemon_->errors();
  const auto until = SteadyClock::now() + kLimit;
  while (count_of(broker_.log(), "Sending SUBACK to sluice-test-in") < before + 3) {
    ASSERT_LT(SteadyClock::now(), until) << "no subscriptions\n" << daemon_->errors();
    std::this_thread::sleep_for(5ms);
  }
}

void Site::wait_for_subscriptions() {
  const auto until = SteadyClock::now() + kLimit;
  while (count_of(broker_.log(), "Sending SUBACK to sluice-test-in") < 3) {
    ASSERT_LT(SteadyClock::now(), until) << "no subscriptions\n" << daemon_->errors();
    std::this_thread::sleep_for(5ms);
  }
}

ExitStatus Site::stop(int signal_number) {
  daemon_->signal(signal_number);
  const auto status = daemon_->wait();
  EXPECT_TRUE(status) << "the daemon does not end\n" << daemon_->errors();
  return status.value_or(ExitStatus{});
}

MqttProbe& Site::probe() {
  if (!probe_) {
    probe_ = std::make_unique<MqttProbe>(broker_.uri());
    probe_->subscribe("sluice/#");
  }
  return *probe_;
}

void Site::send(const std::string& sensor, double level) {
  const Datum reading = Datum::Struct{{"sensor", sensor}, {"level", level}};
  probe().publish("site/x/level", daemon::to_json(reading));
}

void Site::set(const std::string& target, const std::string& payload, bool retain) {
  probe().publish(topic("config/" + target), payload, 1, retain);
}

std::vector<Told> Site::told(const std::string& start) {
  std::vector<Told> found;
  for (const auto& message : probe().messages()) {
    if (!starts(message.topic, start)) continue;
    found.push_back({message.topic, parsed(message.payload), message.retain});
  }
  return found;
}

Told Site::wait_for(const std::string& start, const std::function<bool(const Datum&)>& fits) {
  Told found;
  std::size_t seen = 0;
  const auto look = [&](const MqttProbe::Messages& messages) {
    while (seen < messages.size()) {
      const auto& message = messages[seen++];
      if (!starts(message.topic, start)) continue;
      Told one{message.topic, parsed(message.payload), message.retain};
      if (!fits(one.document)) continue;
      found = std::move(one);
      return true;
    }
    return false;
  };
  EXPECT_TRUE(probe().wait_for(look)) << "nothing that fits on " << topic(start) << "\n"
                                      << (daemon_ ? daemon_->errors() : "");
  return found;
}

Told Site::wait_for(const std::string& start) {
  return wait_for(start, [](const Datum&) { return true; });
}

Datum Site::wait_for_status(const std::function<bool(const Datum&)>& fits) {
  const std::string where = topic("status/detail");
  const auto heard = [&](const MqttProbe::Messages& messages) {
    std::size_t count = 0;
    for (const auto& message : messages) count += message.topic == where ? 1U : 0U;
    return count;
  };
  Datum last;
  const auto until = SteadyClock::now() + kLimit;
  do {
    const std::size_t before = heard(probe().messages());
    probe().publish(topic("command/status"), "");
    probe().wait_for([&](const auto& messages) { return heard(messages) > before; }, 2s);
    for (auto& one : told("status/detail")) {
      // A retained one is of whoever was there before the probe.
      if (!one.retain) last = std::move(one.document);
    }
    if (fits(last)) return last;
  } while (SteadyClock::now() < until);
  ADD_FAILURE() << "no status that fits; the last was " << daemon::to_json(last) << "\n"
                << (daemon_ ? daemon_->errors() : "");
  return last;
}

}  // namespace sluice::test
