// The operator of assign_timestamps_and_watermarks.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "pipeline/operators/operator.hpp"
#include "pipeline/timers/watermark_strategy.hpp"

namespace sluice::detail {

/// Flink's pipeline.auto-watermark-interval (WM-02).
inline constexpr Timestamp kWatermarkInterval = 200;

template <class T>
class WatermarkOperator final : public OneInputOperator<T>, private WatermarkOutput {
 public:
  explicit WatermarkOperator(WatermarkStrategy<T> strategy)
      : strategy_{std::move(strategy)}, generator_{strategy_.make_generator()} {
    this->add_port(out_);
  }
  OutputPort<T>& output() { return out_; }

  void element(const T& value, OptionalTimestamp timestamp) override {
    this->call(timestamp, [&] {
      const Timestamp assigned = strategy_.assign(value, timestamp);
      out_.emit(value, assigned);  // before the generator sees it: WM-16
      generator_->on_event(value, assigned, *this);
    });
  }
  /// Upstream watermarks and statuses end here, except the last (WM-08).
  void watermark(Timestamp watermark) override {
    if (watermark == kMaxTimestamp) emit_watermark(watermark);
  }
  void idle(bool) override {}

  std::optional<Timestamp> next_processing_time() override {
    const auto wanted = generator_->next_periodic_emit();
    if (!wanted) return std::nullopt;
    return std::max(next_emit_, *wanted);
  }
  void on_processing_time() override {
    if (this->now() < next_emit_) return;
    this->call_without_key([this] { generator_->on_periodic_emit(this->now(), *this); });
    plan_next_emit();
  }

 private:
  void on_open() override { plan_next_emit(); }
  void plan_next_emit() { next_emit_ = saturating_add(this->now(), kWatermarkInterval); }
  void on_finish() override { generator_->on_periodic_emit(this->now(), *this); }

  void emit_watermark(Timestamp watermark) override {
    if (watermark <= highest_) return;
    highest_ = watermark;
    if (idle_) {
      idle_ = false;
      this->pass_idle(false);
    }
    this->advance_watermark(watermark);
  }
  void mark_idle() override {
    if (idle_) return;
    idle_ = true;
    this->pass_idle(true);
  }

  WatermarkStrategy<T> strategy_;
  std::unique_ptr<WatermarkGenerator<T>> generator_;
  OutputPort<T> out_;
  Timestamp highest_{kMinTimestamp};
  Timestamp next_emit_{0};
  bool idle_{false};
};

}  // namespace sluice::detail
