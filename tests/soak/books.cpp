#include "tests/soak/books.hpp"

#include <algorithm>
#include <cmath>

#include "tests/crash/kill_loop/ledger.hpp"

namespace sluice::soak {
namespace {

/// A message that a killed broker repeats without saying so: not more often than this.
constexpr std::uint64_t kMostAtRisk = 4;

}  // namespace

void Books::sent(const std::vector<ReadingId>& readings, Passage passage) {
  const std::lock_guard lock{mutex_};
  for (const ReadingId& id : readings) {
    Range& cell = cells_[id.sensor][bin_of(id)];
    cell.least += passage == Passage::kAtRisk ? 0 : 1;
    cell.most += passage == Passage::kAtRisk ? kMostAtRisk : passage == Passage::kTwice ? 2 : 1;
    sent_[id.sensor] = std::max(sent_[id.sensor], id.k + 1);
    if (passage != Passage::kSure && raises_alerts(id.sensor)) unsure_.insert(id);
    if (id.sensor == kMarker) continue;  // the rig's own
    sums_.sent_twice += passage == Passage::kTwice ? 1 : 0;
    sums_.at_risk += passage == Passage::kAtRisk ? 1 : 0;
    ++sums_.readings;
  }
}

void Books::heard_alert(const std::string& sensor, double value, const std::string& id) {
  const std::lock_guard lock{mutex_};
  ++sums_.alerts;
  ReadingId reading;
  if (!raises_alerts(sensor) || !find_reading(sensor, value, reading)) {
    ++sums_.alerts_strange;
    return;
  }
  Heard& heard = heard_[reading];
  ++heard.times;
  heard.ids.insert(id);
}

void Books::heard_nonsense() {
  const std::lock_guard lock{mutex_};
  ++sums_.alerts_strange;
}

bool Books::has_heard(const ReadingId& reading) const {
  const std::lock_guard lock{mutex_};
  return heard_.contains(reading);
}

std::uint64_t Books::readings() const {
  const std::lock_guard lock{mutex_};
  return sums_.readings;
}

std::uint64_t Books::alerts() const {
  const std::lock_guard lock{mutex_};
  return sums_.alerts;
}

bool Books::is_excused(const ReadingId& reading) const {
  // Whether a reading raises an alert depends on the one before it as well.
  return unsure_.contains(reading) ||
         (reading.k > 0 && unsure_.contains({reading.sensor, reading.k - 1}));
}

Verdict Books::compare(const Counts& counted) const {
  const std::lock_guard lock{mutex_};
  Verdict verdict = sums_;
  compare_counts(counted, verdict);
  compare_alerts(verdict);
  return verdict;
}

void Books::compare_counts(const Counts& counted, Verdict& verdict) const {
  Counts rest = counted;
  for (const auto& [sensor, bins] : cells_) {
    for (const auto& [bin, range] : bins) {
      std::uint64_t count = 0;
      if (auto& of_sensor = rest[sensor]; of_sensor.contains(bin)) {
        count = of_sensor.at(bin);
        of_sensor.erase(bin);
      }
      if (count < range.least) verdict.lost += range.least - count;
      if (count > range.most) verdict.counted_twice += count - range.most;
    }
  }
  for (const auto& [sensor, bins] : rest)
    for (const auto& [bin, count] : bins) verdict.strangers += count;
}

void Books::compare_alerts(Verdict& verdict) const {
  for (const auto& [sensor, count] : sent_) {
    if (!raises_alerts(sensor)) continue;
    for (std::uint64_t k = 1; k < count; ++k) {
      const ReadingId reading{sensor, k};
      if (!heard_.contains(reading) && !is_excused(reading)) ++verdict.alerts_missing;
    }
  }
  for (const auto& [reading, heard] : heard_) {
    const auto found = sent_.find(reading.sensor);
    if (found == sent_.end() || reading.k >= found->second) ++verdict.alerts_strange;
    if (is_excused(reading)) continue;
    verdict.alerts_repeated += heard.times - 1;
    verdict.recognisable += heard.times - heard.ids.size();
  }
}

Counts counts_in(const std::string& database) {
  Counts counts;
  for (const auto& [sensor, bins] : crash::counted_bins(database, kCounts))
    for (const auto& [level, count] : bins)
      counts[sensor][static_cast<std::int64_t>(std::llround(level / kBinWidth))] += count;
  return counts;
}

}  // namespace sluice::soak
