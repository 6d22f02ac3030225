// RestartStrategy: whether and when a failed job starts again. Semantics: RR-01, RR-02.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "pipeline/base/time.hpp"

namespace sluice {

/// One object follows one job's life. One thread.
class RestartStrategy {
 public:
  virtual ~RestartStrategy() = default;
  /// The job failed at `now`: how long to wait before it starts again, or nothing to give up.
  virtual std::optional<Duration> on_failure(Timestamp now) = 0;
};

/// Gives up at the first failure: the default without checkpoints.
std::unique_ptr<RestartStrategy> no_restart();

/// At most `attempts` restarts, `delay` apart.
std::unique_ptr<RestartStrategy> fixed_delay_restart(int attempts, Duration delay);

struct ExponentialDelay {
  Duration initial{1000};
  double multiplier{1.5};
  Duration maximum{60'000};
  /// The delay varies by this share, so that many jobs do not come back at the same moment.
  double jitter{0.1};
  /// After this long without a failure the delay starts anew.
  Duration reset_after{3'600'000};
  /// Gives -1 … 1; without it there is no jitter, and every run is the same.
  std::function<double()> random{};
};

/// For ever, ever slower: the default with checkpoints. Flink's figures are the defaults here.
std::unique_ptr<RestartStrategy> exponential_delay_restart(ExponentialDelay options = {});

}  // namespace sluice
