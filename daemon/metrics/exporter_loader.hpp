// Finds and loads the shared object that serves metrics, and starts it.
#pragma once

#include <memory>
#include <string>

#include "daemon/metrics/exporter.hpp"
#include "pipeline/base/result.hpp"

namespace sluice::daemon {

/// Serves what `collect` gives on `address` ("127.0.0.1:9479", checked before). The message names
/// the option and the cure: a busy port (kConflict), no such address, no shared object, another
/// version of it. The shared object stays loaded for good.
Result<std::unique_ptr<MetricsExporter>> start_exporter(const std::string& address,
                                                        CollectMetrics collect);

}  // namespace sluice::daemon
