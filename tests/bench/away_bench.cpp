// Memory while the broker is away: outbox and publisher, with nobody to send to.
#include <unistd.h>

#include <fstream>
#include <thread>

#include "daemon/logging.hpp"
#include "plugins/mqtt/mqtt.hpp"
#include "storage/outbox.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/level_summary.hpp"
#include "tests/bench/own_process.hpp"
#include "tests/support/mosquitto.hpp"

namespace sluice::bench {

namespace {

constexpr std::size_t kPerSecond = 1000;
constexpr std::chrono::milliseconds kBatch{10};
/// What limits.outbox_size is unless set.
constexpr std::size_t kOutboxBytes = std::size_t{8} << 20U;

class Nobody final : public ConnectionObserver {
  void on_connection(std::string_view, bool, std::string_view) noexcept override {}
  void on_fault(std::string_view, std::string_view) noexcept override {}
};

double resident_mib() {
  std::ifstream in{"/proc/self/statm"};
  double pages = 0;
  in >> pages >> pages;
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

Publication publication(std::size_t number, Urgency urgency) {
  Publication made;
  made.topic = urgency == Urgency::kAlert
                   ? "sluice/bench/alert/jump/sensor"
                   : "sluice/bench/value/mean/sensor-" + std::to_string(number % kPerSecond);
  made.payload = R"({"time":"2026-01-01T00:00:00.000Z","monitor":"mean","value":)" +
                 std::to_string(number) + R"(,"unit":"cm","count":)" + std::to_string(number) + "}";
  made.urgency = urgency;
  made.id = {number + 1, 0};
  return made;
}

void grow(const Effort& effort, Table& table, Urgency urgency, const std::string& what) {
  const auto log = daemon::make_log({.level = LogLevel::kError});
  storage::Outbox outbox{{.max_count = 100'000, .max_bytes = kOutboxBytes}, {}};
  Nobody nobody;
  mqtt::MqttOptions options;
  options.servers = {"mqtt://127.0.0.1:" + std::to_string(test::free_port())};
  const auto sink = mqtt::make_sink(options, nobody, *log);
  must(sink->start(outbox));
  std::this_thread::sleep_for(std::chrono::seconds{1});
  const double before = resident_mib();
  const std::size_t count = kPerSecond * static_cast<std::size_t>(effort.away.count());
  constexpr std::size_t kInBatch = kPerSecond * kBatch.count() / 1000;
  auto next = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kInBatch == 0) std::this_thread::sleep_until(next += kBatch);
    outbox.add(publication(i, urgency));
  }
  const double growth = resident_mib() - before;
  const auto stats = outbox.stats();
  Row row{.figure = what + " for " + std::to_string(effort.away.count()) + " s: memory grows",
          .ours = number(growth, 1) + " MiB",
          .measured = growth};
  // Alerts fill the outbox to its bound, whatever that is.
  if (urgency == Urgency::kValue) row.goal = Goal{10, false};
  table.print(row);
  table.print({.figure = "  replaced by newer ones, dropped",
               .ours = std::to_string(stats.coalesced) + ", " +
                       std::to_string(stats.dropped_values + stats.dropped_alerts)});
  sink->stop(Duration{0});
}

}  // namespace

void away(const Effort& effort, Table& table) {
  table.section("Broker away, 1,000 publications/s");
  in_own_process(table, [&] { grow(effort, table, Urgency::kValue, "values of 1,000 topics"); });
  in_own_process(table, [&] { grow(effort, table, Urgency::kAlert, "alerts"); });
}

}  // namespace sluice::bench
