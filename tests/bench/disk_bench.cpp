// What the daemon writes to the disk, with default settings: by its own count, and by the kernel's.
#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <thread>

#include "daemon/json.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/daemon_process.hpp"
#include "tests/bench/site.hpp"
#include "tests/support/mqtt_probe.hpp"

namespace sluice::bench {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{120};
constexpr int kReadingsASecond = 20;

/// Counts since the start of the daemon.
struct Counts {
  double readings{};
  double checkpoints{};
  double written{};       ///< bytes, as the daemon counts them
  double kernel_count{};  ///< bytes, as the kernel counts them for the process
};

double member(const Datum& document, const char* part, const char* name) {
  const Datum* inside = document.member(part);
  if (inside != nullptr && *name != '\0') inside = inside->member(name);
  double value = 0;
  if (inside == nullptr || !inside->as_number(value)) {
    throw std::runtime_error(std::string{"no "} + part + "." + name + " in the status");
  }
  return value;
}

class WatchedDaemon {
 public:
  explicit WatchedDaemon(Site& site) : probe_{site.broker().uri()} {
    std::filesystem::remove_all(site.data_dir());
    daemon_.emplace(site.config_path());
    probe_.subscribe("sluice/bench/status/detail");
    // From here on nothing gets lost: a reading has come through.
    wait_for([this](const Counts& counts) {
      if (counts.readings == 0) send_one();
      return counts.readings > 0;
    });
  }

  void send_one() { probe_.publish(kSiteTopic, site_payload(sent_++)); }
  void checkpoint() { probe_.publish("sluice/bench/command/checkpoint", ""); }

  Counts look() {
    const std::size_t before = probe_.count();
    probe_.publish("sluice/bench/command/status", "");
    if (!probe_.wait_for([&](const auto& all) { return all.size() > before; })) {
      throw std::runtime_error("the daemon does not answer");
    }
    const auto status = daemon::parse_json(probe_.messages().back().payload);
    if (!status) throw std::runtime_error(status.error().message());
    return {member(*status, "readings", ""), member(*status, "checkpoint", "written"),
            member(*status, "disk", "written_bytes"), daemon_->written_bytes()};
  }

  template <class Wanted>
  Counts wait_for(const Wanted& wanted) {
    const auto give_up = Clock::now() + kPatience;
    while (true) {
      const Counts counts = look();
      if (wanted(counts)) return counts;
      if (Clock::now() > give_up)
        throw std::runtime_error("what should be in the status does not come");
      std::this_thread::sleep_for(std::chrono::milliseconds{50});
    }
  }

 private:
  test::MqttProbe probe_;
  std::optional<DaemonProcess> daemon_;
  std::size_t sent_{0};
};

void print(Table& table, const std::string& figure, double ours, double kernels,
           const std::string& unit, std::optional<Goal> goal) {
  table.print({.figure = figure, .ours = number(ours, 0) + unit, .goal = goal, .measured = ours});
  // A folder in memory is none of the kernel's disks.
  const std::string text = kernels > 0 ? number(kernels, 0) + unit : "not counted";
  table.print({.figure = "  the same by /proc/<pid>/io", .ours = text});
}

void full_load(const Effort& effort, Site& site, Table& table) {
  WatchedDaemon daemon{site};
  const Counts before = daemon.look();
  constexpr int kPortions = 5;
  const double wanted = static_cast<double>(effort.messages) * kPortions;
  for (int portion = 1; portion <= kPortions; ++portion) {
    publish_readings(site, effort.messages);
    daemon.wait_for([&](const Counts& counts) {
      return counts.readings - before.readings >= wanted * portion / kPortions;
    });
  }
  const double checkpoints = daemon.look().checkpoints;
  daemon.checkpoint();
  const Counts after =
      daemon.wait_for([&](const Counts& counts) { return counts.checkpoints > checkpoints; });
  const double readings = after.readings - before.readings;
  const bool enough = readings >= 100'000;  // else the one checkpoint weighs too much
  print(table, "a reading at full load", (after.written - before.written) / readings,
        (after.kernel_count - before.kernel_count) / readings, " B",
        enough ? std::optional{Goal{250, false}} : std::nullopt);
}

void few_readings(const Effort& effort, Site& site, Table& table) {
  WatchedDaemon daemon{site};
  // The first checkpoint makes the database and its copy, and is once for each start.
  daemon.checkpoint();
  daemon.wait_for([](const Counts& counts) { return counts.checkpoints > 0; });
  const auto start = Clock::now();
  const Counts before = daemon.look();
  for (int n = 1; n <= effort.quiet.count() * kReadingsASecond; ++n) {
    daemon.send_one();
    std::this_thread::sleep_until(start + std::chrono::milliseconds{1000 / kReadingsASecond} * n);
  }
  const Counts after = daemon.look();
  const double days = std::chrono::duration<double>(Clock::now() - start).count() / 86'400;
  const bool enough = effort.quiet > std::chrono::minutes{1};
  print(table, "a day of 20 readings/s", (after.written - before.written) / days / 1e6,
        (after.kernel_count - before.kernel_count) / days / 1e6, " MB",
        enough ? std::optional{Goal{500, false}} : std::nullopt);
}

}  // namespace

void disk(const Effort& effort, Table& table) {
  table.section("Written to disk, 100-byte JSON of 100 sensors, default settings, checkpoints too");
  Site site;
  full_load(effort, site, table);
  few_readings(effort, site, table);
}

}  // namespace sluice::bench
