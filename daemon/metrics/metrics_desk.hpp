// MetricsDesk: keeps the newest facts for whoever collects metrics, and serves them where the
// configuration says so.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "daemon/engine/counters.hpp"
#include "daemon/metrics/exporter.hpp"
#include "daemon/status_board.hpp"
#include "pipeline/base/log.hpp"

namespace sluice::daemon {

/// Main thread only.
class MetricsDesk {
 public:
  /// `listen`: "127.0.0.1:9479", or empty: then nothing is done, and no memory taken. The
  /// references outlive it.
  MetricsDesk(std::string listen, const StatusBoard& board, const Counters& counters, Log& log)
      : listen_{std::move(listen)}, board_{board}, counters_{counters}, log_{log} {}

  /// About four times a second. Begins to serve at the first call; where that fails it is tried
  /// again every three seconds.
  void tend(const StatusFacts& facts);

  /// Why nothing is served although it should be; else empty.
  const std::string& problem() const { return problem_; }

 private:
  void try_to_serve();
  std::vector<Metric> collect() const;

  const std::string listen_;
  const StatusBoard& board_;
  const Counters& counters_;
  Log& log_;
  std::string problem_;
  std::optional<std::chrono::steady_clock::time_point> tried_at_;

  mutable std::mutex mutex_;
  std::shared_ptr<const StatusFacts> newest_;
  std::unique_ptr<MetricsExporter> exporter_;  ///< goes first: it calls collect()
};

}  // namespace sluice::daemon
