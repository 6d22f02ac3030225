#include "tests/crash/kill_loop/ledger.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "storage/checkpoint_store.hpp"
#include "tests/support/quiet_log.hpp"

namespace sluice::crash {

std::string sensor_of(std::uint64_t number) { return "s" + std::to_string(number % kSensors); }

namespace {

void add_bins(const Datum& bins, std::map<double, std::uint64_t>& counted) {
  const auto* entries = bins.get_if<Datum::List>();
  if (entries == nullptr) throw std::runtime_error{"the state of a count is not a map"};
  for (const Datum& entry : *entries) {
    const auto& pair = *entry.get_if<Datum::List>();
    counted[*pair.at(0).get_if<double>()] +=
        static_cast<std::uint64_t>(*pair.at(1).get_if<std::int64_t>());
  }
}

}  // namespace

Bins counted_bins(const std::string& database, const std::string& monitor) {
  test::QuietLog log;
  auto opened = storage::CheckpointStore::open(database, log);
  if (!opened) throw std::runtime_error{opened.error().message()};
  auto loaded = opened->store->load();
  if (!loaded) throw std::runtime_error{loaded.error().message()};
  Bins counted;
  for (const auto& op : loaded->job.operators) {
    if (op.info.uid != monitor) continue;
    for (const auto& state : op.states) {
      if (state.info.kind != StateKind::kMap) continue;
      for (const auto& [key, bins] : state.rows)
        add_bins(bins, counted[*key.get_if<std::string>()]);
    }
  }
  return counted;
}

std::map<std::uint64_t, std::uint64_t> counted_readings(const std::string& database) {
  std::map<std::uint64_t, std::uint64_t> counted;
  for (const auto& [sensor, bins] : counted_bins(database, kCountMonitor)) {
    if (sensor == "end" || sensor == "hello") continue;
    for (const auto& [level, count] : bins)
      counted[static_cast<std::uint64_t>(std::llround(level))] += count;
  }
  return counted;
}

Verdict compare(std::uint64_t readings, const std::map<std::uint64_t, std::uint64_t>& counted,
                const test::MqttProbe::Messages& alerts) {
  Verdict verdict;
  verdict.readings = readings;
  for (std::uint64_t n = 0; n < readings; ++n) {
    const auto it = counted.find(n);
    const std::uint64_t count = it == counted.end() ? 0 : it->second;
    if (count == 0) ++verdict.lost;
    if (count > 1) verdict.counted_twice += count - 1;
  }
  std::map<std::uint64_t, std::set<std::string>> ids;  // of the alerts of each reading
  for (const auto& message : alerts) {
    const auto alert = nlohmann::json::parse(message.payload);
    if (alert.at("sensor") == "end" || alert.at("sensor") == "hello") continue;
    const auto number = static_cast<std::uint64_t>(std::llround(alert.at("value").get<double>()));
    auto& known = ids[number];
    const bool first = known.empty();
    const bool known_id = !known.insert(alert.at("id").get<std::string>()).second;
    if (first) continue;
    ++verdict.alerts_repeated;
    if (known_id) ++verdict.recognisable;
  }
  for (std::uint64_t n = kSensors; n < readings; ++n) {
    if (!ids.contains(n)) ++verdict.alerts_missing;
  }
  return verdict;
}

}  // namespace sluice::crash
