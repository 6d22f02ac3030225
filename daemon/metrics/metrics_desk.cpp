#include "daemon/metrics/metrics_desk.hpp"

#include "daemon/metrics/exporter_loader.hpp"
#include "daemon/metrics/site_metrics.hpp"

namespace sluice::daemon {

namespace {
constexpr std::chrono::seconds kTryEvery{3};
}  // namespace

void MetricsDesk::tend(const StatusFacts& facts) {
  if (listen_.empty()) return;
  auto newest = std::make_shared<const StatusFacts>(facts);
  {
    const std::lock_guard lock{mutex_};
    newest_ = std::move(newest);
  }
  if (!exporter_) try_to_serve();
}

void MetricsDesk::try_to_serve() {
  const auto now = std::chrono::steady_clock::now();
  if (tried_at_ && now - *tried_at_ < kTryEvery) return;
  tried_at_ = now;
  auto started = start_exporter(listen_, [this] { return collect(); });
  if (started) {
    exporter_ = std::move(*started);
    log_.info("metrics are served on http://" + listen_ + "/metrics");
    problem_.clear();
    return;
  }
  const std::string problem = started.error().message();
  if (problem != problem_) log_.error(problem + "; it is tried again and again");
  problem_ = problem;
}

std::vector<Metric> MetricsDesk::collect() const {
  std::shared_ptr<const StatusFacts> facts;
  {
    const std::lock_guard lock{mutex_};
    facts = newest_;
  }
  return site_metrics(*facts, counters_, board_);
}

}  // namespace sluice::daemon
