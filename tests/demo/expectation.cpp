#include "tests/demo/expectation.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::demo {

void Expectation::take(const Sample& sample) {
  if (sample.fate == Fate::kRejected) ++rejected_;
  if (sample.fate != Fate::kReading) return;
  ++readings_;
  Gauge& gauge = gauges_[sample.sensor];
  const bool first = gauge.count == 0;
  if (record_.jump && !first && std::abs(sample.level - gauge.last) > *record_.jump)
    expect("jump", "event", sample);
  if (record_.outlier && sample.level > *record_.outlier) expect("outlier", "event", sample);
  watch_flood(sample, gauge);

  ++gauge.count;
  gauge.sum += sample.level;
  gauge.last = sample.level;
  gauge.highest.push_back(sample.level);
  std::sort(gauge.highest.rbegin(), gauge.highest.rend());
  if (gauge.highest.size() > 3) gauge.highest.pop_back();
}

std::optional<double> Expectation::limit_for(const std::string& sensor) const {
  for (const std::string& target : {sensor, std::string{}})
    if (const auto found = limits_.find(target); found != limits_.end()) return found->second;
  return record_.flood;
}

void Expectation::watch_flood(const Sample& sample, Gauge& gauge) {
  const auto& watched = record_.sensors;
  if (std::find(watched.begin(), watched.end(), sample.sensor) == watched.end()) return;
  const auto limit = limit_for(sample.sensor);
  if (!limit) return;
  const bool back = sample.level <= *limit - record_.deadband;
  if (!gauge.flooded && sample.level > *limit) {
    gauge.flooded = true;
    expect("flood", "active", sample);
  } else if (gauge.flooded && back) {
    gauge.flooded = false;
    expect("flood", "cleared", sample);
  }
}

void Expectation::expect(const char* monitor, const char* state, const Sample& sample) {
  alerts_.insert({monitor, sample.sensor, state, sample.time});
}

}  // namespace sluice::demo
