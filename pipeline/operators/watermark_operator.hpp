// The operator of assign_timestamps_and_watermarks.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "pipeline/operators/operator.hpp"
#include "pipeline/timers/watermark_strategy.hpp"

namespace sluice::detail {

/// Where a source stands in event time.
struct SourceTime {
  Timestamp highest{kMinTimestamp};  ///< the last watermark
  Timestamp next_emit{0};
  bool idle{false};
};
SLUICE_FIELDS(SourceTime, highest, next_emit, idle)

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

  Datum event_time() const override {
    return Datum::List{Operator::event_time(), Codec<SourceTime>::encode(time_),
                       generator_->save()};
  }
  void restore_event_time(const Datum& saved) override {
    const auto& parts = expect<Datum::List>(saved, "the event time of a source");
    if (parts.size() != 3) bad_datum("the event time of a source", saved);
    Operator::restore_event_time(parts[0]);
    time_ = Codec<SourceTime>::decode(parts[1]);
    generator_->restore(parts[2]);
  }
  void reset_event_time() override {
    Operator::reset_event_time();
    generator_ = strategy_.make_generator();
    time_ = {.next_emit = time_.next_emit};
  }

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
    return std::max(time_.next_emit, *wanted);
  }
  void on_processing_time() override {
    if (this->now() < time_.next_emit) return;
    this->call_without_key([this] { generator_->on_periodic_emit(this->now(), *this); });
    plan_next_emit();
  }

 private:
  void on_open() override { plan_next_emit(); }
  void plan_next_emit() { time_.next_emit = saturating_add(this->now(), kWatermarkInterval); }
  void on_finish() override { generator_->on_periodic_emit(this->now(), *this); }

  void emit_watermark(Timestamp watermark) override {
    if (watermark <= time_.highest) return;
    time_.highest = watermark;
    if (time_.idle) {
      time_.idle = false;
      this->pass_idle(false);
    }
    this->advance_watermark(watermark);
  }
  void mark_idle() override {
    if (time_.idle) return;
    time_.idle = true;
    this->pass_idle(true);
  }

  WatermarkStrategy<T> strategy_;
  std::unique_ptr<WatermarkGenerator<T>> generator_;
  OutputPort<T> out_;
  SourceTime time_;
};

}  // namespace sluice::detail
