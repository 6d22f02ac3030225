#include "pipeline/graph/restart_strategy.hpp"

#include <algorithm>

namespace sluice {

namespace {

class NoRestart final : public RestartStrategy {
 public:
  std::optional<Duration> on_failure(Timestamp) override { return std::nullopt; }
};

class FixedDelay final : public RestartStrategy {
 public:
  FixedDelay(int attempts, Duration delay) : left_{attempts}, delay_{delay} {}
  std::optional<Duration> on_failure(Timestamp) override {
    if (left_ <= 0) return std::nullopt;
    --left_;
    return delay_;
  }

 private:
  int left_;
  Duration delay_;
};

class Exponential final : public RestartStrategy {
 public:
  explicit Exponential(ExponentialDelay options) : options_{std::move(options)} {}
  std::optional<Duration> on_failure(Timestamp now) override {
    const bool fresh = !last_ || now - *last_ >= options_.reset_after.count();
    const auto longest = static_cast<double>(options_.maximum.count());
    next_ = fresh ? static_cast<double>(options_.initial.count())
                  : std::min(next_ * options_.multiplier, longest);
    last_ = now;
    const double jitter = options_.random ? options_.random() * options_.jitter : 0.0;
    return Duration{static_cast<Timestamp>(next_ * (1.0 + jitter))};
  }

 private:
  ExponentialDelay options_;
  std::optional<Timestamp> last_;
  double next_{0};
};

}  // namespace

std::unique_ptr<RestartStrategy> no_restart() { return std::make_unique<NoRestart>(); }

std::unique_ptr<RestartStrategy> fixed_delay_restart(int attempts, Duration delay) {
  return std::make_unique<FixedDelay>(attempts, delay);
}

std::unique_ptr<RestartStrategy> exponential_delay_restart(ExponentialDelay options) {
  return std::make_unique<Exponential>(std::move(options));
}

}  // namespace sluice
