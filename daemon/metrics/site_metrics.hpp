// The metrics of a site: the same facts as in status/detail. docs/operations.md lists them.
#pragma once

#include <vector>

#include "daemon/engine/counters.hpp"
#include "daemon/metrics/metric.hpp"
#include "daemon/status_board.hpp"

namespace sluice::daemon {

/// Any thread.
std::vector<Metric> site_metrics(const StatusFacts& facts, const Counters& counters,
                                 const StatusBoard& board);

}  // namespace sluice::daemon
