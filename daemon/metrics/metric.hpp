// Metric: a figure for those who collect figures, in Prometheus' terms.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::daemon {

enum class MetricType : std::uint8_t {
  kCounter,  ///< only grows, from 0 at the start of the process; named …_total
  kGauge,
};

struct MetricSample {
  std::vector<std::pair<std::string, std::string>> labels;
  double value{};
};

/// Samples of one name, which differ in their labels. In base units: seconds, bytes.
struct Metric {
  std::string name;  ///< [a-z_]+
  std::string help;  ///< one sentence, without full stop
  MetricType type{};
  std::vector<MetricSample> samples;
};

/// All there is at this moment. Called from any thread.
using CollectMetrics = std::function<std::vector<Metric>()>;

}  // namespace sluice::daemon
