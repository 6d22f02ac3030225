// The line between the program and the shared object that serves metrics. That is one of its own
// because the library behind it would cost every site memory, and few sites ask for it.
//
// Both sides are of one build, and say so: kExporterStamp is compared before anything else is
// called.
#pragma once

#include <string>

#include "daemon/metrics/metric.hpp"
#include "pipeline/plugin/build_stamp.hpp"

namespace sluice::daemon {

/// Serves until it goes, on threads of its own.
class MetricsExporter {
 public:
  MetricsExporter() = default;
  MetricsExporter(const MetricsExporter&) = delete;
  MetricsExporter& operator=(const MetricsExporter&) = delete;
  virtual ~MetricsExporter() = default;
};

/// What the shared object has to offer, under the name kExporterEntry.
struct ExporterEntry {
  const char* version;  ///< of Sluice
  const char* stamp;    ///< kBuildStamp
  /// `address` is "127.0.0.1:9479". Nothing and a reason if it cannot be had. Never throws.
  MetricsExporter* (*start)(const std::string& address, CollectMetrics collect,
                            std::string& reason) noexcept;
};
inline constexpr const char* kExporterEntry = "sluice_metrics_exporter";
/// Beside the program: in ../lib/sluice/.
inline constexpr const char* kExporterFile = "sluice-metrics.so";

}  // namespace sluice::daemon
