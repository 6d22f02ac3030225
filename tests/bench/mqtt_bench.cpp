// From the broker to the decision: the daemon's own path, against a bare subscriber that counts.
//
// Both have a persistent session. While neither is connected, the same messages are published for
// both; then each in turn connects and takes what waits, as fast as it can. So neither the
// publisher nor the other one is in the way on a small machine.
#include <memory>
#include <stdexcept>
#include <thread>

#include "daemon/logging.hpp"
#include "daemon/service.hpp"
#include "tests/bench/bare_subscriber.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/level_summary.hpp"
#include "tests/bench/site.hpp"

namespace sluice::bench {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{120};
/// Whoever is asked has to answer: not too often.
constexpr std::chrono::milliseconds kLook{5};

/// Seconds from the first message to the last.
template <class Count>
double drain(std::size_t wanted, const Count& count) {
  const auto give_up = Clock::now() + kPatience;
  std::size_t first_count = 0;
  while ((first_count = count()) == 0) {
    if (Clock::now() > give_up) throw std::runtime_error("no message comes");
    std::this_thread::sleep_for(std::chrono::microseconds{500});
  }
  const auto start = Clock::now();
  while (count() < wanted) {
    if (Clock::now() > give_up) {
      throw std::runtime_error("only " + std::to_string(count()) + " of " + std::to_string(wanted) +
                               " messages came");
    }
    std::this_thread::sleep_for(kLook);
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return seconds * static_cast<double>(wanted) / static_cast<double>(wanted - first_count + 1);
}

class Daemon {
 public:
  explicit Daemon(Site& site) : kinds_{daemon::load_kinds(site.config_path(), *log_)} {
    auto loaded = daemon::load_config(site.config_path(), *kinds_->catalog);
    if (!loaded.ok()) throw std::runtime_error(loaded.rendered());
    config_ = std::move(loaded.config);
  }
  void start(bool journal = true) {
    config_.journal.write = journal;
    service_ = std::make_unique<daemon::Service>(config_, kinds_->registry, *log_);
    must(service_->start());
  }
  void stop() { service_.reset(); }
  void wait_until_subscribed() {
    const auto give_up = Clock::now() + kPatience;
    while (service_->status_line().find("not receiving") != std::string::npos) {
      if (Clock::now() > give_up) throw std::runtime_error(service_->status_line());
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    // The subscription follows the connection; nothing shows when the broker has it.
    std::this_thread::sleep_for(std::chrono::milliseconds{300});
  }
  /// Readings that all monitors have decided about: "watching: 123 readings, …".
  std::size_t readings() const {
    const std::string line = service_->status_line();
    return std::stoul(line.substr(line.find(": ") + 2));
  }

 private:
  std::unique_ptr<daemon::LeveledLog> log_{daemon::make_log({.level = LogLevel::kWarning})};
  std::unique_ptr<daemon::Kinds> kinds_;
  daemon::Config config_;
  std::unique_ptr<daemon::Service> service_;
};

}  // namespace

void mqtt(const Effort& effort, Table& table) {
  table.section("MQTT, QoS 1, 100-byte JSON, journal on; baseline: Paho C++ that only counts");
  Site site;
  BareSubscriber bare{site.broker().uri(), kSiteTopic};
  Daemon daemon{site};
  bare.connect();
  bare.disconnect();
  daemon.start();
  daemon.wait_until_subscribed();
  daemon.stop();

  std::vector<double> theirs;
  std::vector<double> own;
  std::vector<double> ratios;
  std::vector<double> without;
  std::vector<double> kept;
  for (int i = 0; i < effort.repetitions; ++i) {
    publish_readings(site, effort.messages);
    bare.connect();
    theirs.push_back(drain(effort.messages, [&] { return bare.count(); }));
    bare.disconnect();
    daemon.start();
    own.push_back(drain(effort.messages, [&] { return daemon.readings(); }));
    daemon.stop();
    ratios.push_back(theirs.back() / own.back());
    publish_readings(site, effort.messages);
    bare.connect();
    drain(effort.messages, [&] { return bare.count(); });
    bare.disconnect();
    daemon.start(false);
    without.push_back(drain(effort.messages, [&] { return daemon.readings(); }));
    daemon.stop();
    kept.push_back(without.back() / own.back());
  }
  table.print({.figure = "message in to decision",
               .ours = per_second(median(own), effort.messages, "msg"),
               .baseline = per_second(median(theirs), effort.messages, "msg"),
               .ratio = median(ratios),
               .goal = Goal{0.7}});
  table.print({.figure = "journal on; baseline: off",
               .ours = per_second(median(own), effort.messages, "msg"),
               .baseline = per_second(median(without), effort.messages, "msg"),
               .ratio = median(kept),
               .goal = Goal{0.9}});
}

}  // namespace sluice::bench
