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

/// Serves until it goes, on a thread of its own.
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
  /// Takes over `listener`, a listening socket that does not block. Nothing and a reason if the
  /// system has no thread for it. Never throws.
  MetricsExporter* (*start)(int listener, CollectMetrics collect, std::string& reason) noexcept;
};
inline constexpr const char* kExporterEntry = "sluice_metrics_exporter";
/// Beside the program: in ../lib/sluice/.
inline constexpr const char* kExporterFile = "sluice-metrics.so";

}  // namespace sluice::daemon
