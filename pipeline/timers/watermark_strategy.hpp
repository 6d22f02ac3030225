// WatermarkStrategy<T>: where a stream's event time comes from, and how late it may be.
// Semantics: WM-01..10, WM-16, WM-18.
//
//   WatermarkStrategy<Reading>::for_bounded_out_of_orderness(30s)
//       .with_timestamp_assigner([](const Reading& r, Timestamp) { return r.time; })
//       .with_idleness(5min)
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "pipeline/base/errors.hpp"
#include "pipeline/base/time.hpp"
#include "pipeline/state/codec.hpp"

namespace sluice {

/// Where a generator puts its watermarks. One that is not higher than the last is dropped (WM-03).
class WatermarkOutput {
 public:
  virtual ~WatermarkOutput() = default;
  virtual void emit_watermark(Timestamp watermark) = 0;
  /// Active again with the next higher watermark (WM-09).
  virtual void mark_idle() = 0;
};

template <class T>
class WatermarkGenerator {
 public:
  virtual ~WatermarkGenerator() = default;
  /// After the element was sent on (WM-16).
  virtual void on_event(const T& value, Timestamp timestamp, WatermarkOutput& output) = 0;
  /// Every watermark interval of processing time (WM-02).
  virtual void on_periodic_emit(Timestamp now, WatermarkOutput& output) = 0;
  /// Before this time periodic calls would change nothing, if no element comes; kMinTimestamp: the
  /// next one may. Nothing: none would. Lets a quiet site sleep.
  virtual std::optional<Timestamp> next_periodic_emit() const { return kMinTimestamp; }

  /// What it has seen, for jobs that keep event time in snapshots (JobOptions::keep_event_time).
  /// Null, as here: nothing; then it starts over after a restore, as in Flink (WM-14).
  virtual Datum save() const { return {}; }
  /// Takes up what save() gave. It may come from another generator, or from this one with another
  /// configuration: what does not fit is to be ignored.
  virtual void restore(const Datum&) {}
};

namespace detail {

/// max timestamp − delay − 1 (WM-01); nothing before the first element (WM-04).
template <class T>
class BoundedOutOfOrderness final : public WatermarkGenerator<T> {
 public:
  explicit BoundedOutOfOrderness(Timestamp delay)
      : delay_{delay}, highest_{kMinTimestamp + delay + 1} {}
  void on_event(const T&, Timestamp timestamp, WatermarkOutput&) override {
    if (timestamp <= highest_) return;
    highest_ = timestamp;
    changed_ = true;
  }
  void on_periodic_emit(Timestamp, WatermarkOutput& output) override {
    changed_ = false;
    output.emit_watermark(highest_ - delay_ - 1);
  }
  std::optional<Timestamp> next_periodic_emit() const override {
    return changed_ ? std::optional{kMinTimestamp} : std::nullopt;
  }
  Datum save() const override {
    if (highest_ == kMinTimestamp + delay_ + 1) return {};  // no element yet
    return Datum::Struct{{"newest", highest_}, {"changed", changed_}};
  }
  void restore(const Datum& saved) override {
    const Datum* newest = saved.member("newest");
    if (newest == nullptr) return;
    highest_ = std::max(highest_, Codec<Timestamp>::decode(*newest));
    const Datum* changed = saved.member("changed");
    changed_ = changed == nullptr || *changed == Datum{true};
  }

 private:
  Timestamp delay_;
  Timestamp highest_;
  bool changed_{false};
};

template <class T>
class NoWatermarks final : public WatermarkGenerator<T> {
 public:
  void on_event(const T&, Timestamp, WatermarkOutput&) override {}
  void on_periodic_emit(Timestamp, WatermarkOutput&) override {}
  std::optional<Timestamp> next_periodic_emit() const override { return std::nullopt; }
};

struct SourceSilence {
  std::optional<Timestamp> since;  ///< the first check that saw no new element
  bool active{false};              ///< there was an element since the last check
  bool idle{false};
};
SLUICE_FIELDS(SourceSilence, since, active, idle)

/// Declares the stream idle after a silence, counted from the first check that saw no new element.
template <class T>
class WithIdleness final : public WatermarkGenerator<T> {
 public:
  WithIdleness(std::unique_ptr<WatermarkGenerator<T>> inner, Timestamp limit)
      : inner_{std::move(inner)}, limit_{limit} {}
  void on_event(const T& value, Timestamp timestamp, WatermarkOutput& output) override {
    inner_->on_event(value, timestamp, output);
    silence_.active = true;
    silence_.idle = false;
  }
  void on_periodic_emit(Timestamp now, WatermarkOutput& output) override {
    if (!silent_for_too_long(now)) {
      inner_->on_periodic_emit(now, output);
    } else if (!silence_.idle) {
      silence_.idle = true;
      output.mark_idle();
    }
  }
  std::optional<Timestamp> next_periodic_emit() const override {
    if (silence_.active) return kMinTimestamp;
    if (silence_.idle) return std::nullopt;
    if (!silence_.since) return kMinTimestamp;
    const Timestamp own = saturating_add(saturating_add(*silence_.since, limit_), 1);
    return std::min(inner_->next_periodic_emit().value_or(own), own);
  }
  Datum save() const override {
    return Datum::Struct{{"inner", inner_->save()},
                         {"silence", Codec<SourceSilence>::encode(silence_)}};
  }
  void restore(const Datum& saved) override {
    const Datum* inner = saved.member("inner");
    inner_->restore(inner == nullptr ? saved : *inner);
    const Datum* silence = saved.member("silence");
    if (silence != nullptr) silence_ = Codec<SourceSilence>::decode(*silence);
  }

 private:
  bool silent_for_too_long(Timestamp now) {
    if (silence_.active) {
      silence_.active = false;
      silence_.since.reset();
      return false;
    }
    if (!silence_.since) {
      silence_.since = now;
      return false;
    }
    return now - *silence_.since > limit_;
  }

  std::unique_ptr<WatermarkGenerator<T>> inner_;
  Timestamp limit_;
  SourceSilence silence_;
};

}  // namespace detail

template <class T>
class WatermarkStrategy {
 public:
  /// Gets the element and the time it had before, kMinTimestamp if none (WM-06).
  using Assigner = std::function<Timestamp(const T&, Timestamp)>;
  using GeneratorFactory = std::function<std::unique_ptr<WatermarkGenerator<T>>()>;

  /// `delay` must not be negative (WM-18).
  static WatermarkStrategy for_bounded_out_of_orderness(Duration delay) {
    if (delay.count() < 0) throw InvalidArgument{"out-of-orderness must not be negative (WM-18)"};
    return for_generator(
        [delay] { return std::make_unique<detail::BoundedOutOfOrderness<T>>(delay.count()); });
  }
  /// max − 1; does not check the order (WM-05).
  static WatermarkStrategy for_monotonous_timestamps() {
    return for_bounded_out_of_orderness(Duration{0});
  }
  /// None but the final one (WM-07).
  static WatermarkStrategy no_watermarks() {
    return for_generator([] { return std::make_unique<detail::NoWatermarks<T>>(); });
  }
  static WatermarkStrategy for_generator(GeneratorFactory factory) {
    return WatermarkStrategy{std::move(factory)};
  }

  WatermarkStrategy with_timestamp_assigner(Assigner assigner) && {
    assigner_ = std::move(assigner);
    return std::move(*this);
  }
  /// `limit` must be positive (WM-18); the silence must exceed it (WM-09).
  WatermarkStrategy with_idleness(Duration limit) && {
    if (limit.count() <= 0) throw InvalidArgument{"the idle time-out must be positive (WM-18)"};
    factory_ = [inner = std::move(factory_), limit] {
      auto generator = inner();
      if (generator == nullptr) throw InvalidArgument{"the factory gave no watermark generator"};
      return std::make_unique<detail::WithIdleness<T>>(std::move(generator), limit.count());
    };
    return std::move(*this);
  }

  std::unique_ptr<WatermarkGenerator<T>> make_generator() const {
    auto generator = factory_();
    if (generator == nullptr) throw InvalidArgument{"the factory gave no watermark generator"};
    return generator;
  }
  Timestamp assign(const T& value, OptionalTimestamp before) const {
    const Timestamp previous = before.value_or(kMinTimestamp);
    return assigner_ ? assigner_(value, previous) : previous;
  }

 private:
  explicit WatermarkStrategy(GeneratorFactory factory) : factory_{std::move(factory)} {}

  GeneratorFactory factory_;
  Assigner assigner_;
};

}  // namespace sluice
