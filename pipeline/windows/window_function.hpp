// WindowFunction: windows over a keyed stream, as one keyed process function on public parts: a map
// of windows to accumulators, and timers. Semantics: WM-17.
#pragma once

#include <optional>
#include <utility>

#include "pipeline/functions/process_functions.hpp"
#include "pipeline/operators/operator.hpp"
#include "pipeline/windows/window.hpp"

namespace sluice {

/// One window's result. It carries the window's max_timestamp as its time.
template <class K, class R>
struct WindowResult {
  K key;
  TimeWindow window;
  R value;

  friend bool operator==(const WindowResult&, const WindowResult&) = default;
};

/// What a windowed stream was told.
template <class T>
struct WindowOptions {
  WindowAssigner assigner;
  /// A window keeps its state, and fires again for each element that still comes, until the
  /// watermark has passed its end by this much.
  Duration allowed_lateness{0};
  /// Where elements go that came too late for all their windows; dropped if nothing.
  std::optional<OutputTag<T>> late_output{};
};

template <class A>
concept MergingAggregate = AggregateFunction<A> &&
    requires(const A& a, typename A::Accumulator& into, const typename A::Accumulator& other) {
  a.merge(into, other);
};

template <class K, class T, AggregateFunction A>
class WindowFunction final
    : public KeyedProcessFunction<K, T, WindowResult<K, typename A::Result>> {
 public:
  using Result = WindowResult<K, typename A::Result>;
  using Base = KeyedProcessFunction<K, T, Result>;
  using typename Base::Context;
  using typename Base::OnTimerContext;

  WindowFunction(WindowOptions<T> options, A aggregate)
      : options_{std::move(options)}, aggregate_{std::move(aggregate)} {
    if (options_.allowed_lateness.count() < 0) {
      throw InvalidArgument{"the allowed lateness must not be negative"};
    }
  }

  void open(RuntimeContext& context) override {
    windows_ = context.map_state<TimeWindow, typename A::Accumulator>({.name = "windows"});
  }

  void process_element(const T& value, Context& context, Collector<Result>& out) override {
    const auto time = context.timestamp();
    // The smallest time is what an element has where no assigner gave it one (WM-06).
    if (!time || *time == kMinTimestamp) {
      throw IllegalState{
          "windows need event time: put assign_timestamps_and_watermarks() with a timestamp "
          "assigner "
          "before them"};
    }
    const Timestamp watermark = context.timer_service().current_watermark();
    bool taken = false;
    for (TimeWindow window : options_.assigner.assign(*time)) {
      if (options_.assigner.merging()) window = merge_into(window, context);
      if (is_late(window, watermark)) {
        windows_.remove(window);
        continue;
      }
      taken = true;
      add(window, value);
      context.timer_service().register_event_time_timer(clean_up_time(window));
      if (window.max_timestamp() <= watermark) {
        // Complete already: it fires again for each element that comes in time for its state.
        fire(window, context, out);
      } else {
        context.timer_service().register_event_time_timer(window.max_timestamp());
      }
    }
    const bool late = saturating_add(*time, options_.allowed_lateness.count()) <= watermark;
    if (!taken && late && options_.late_output) context.output(*options_.late_output, value);
  }

  void on_timer(Timestamp at, OnTimerContext& context, Collector<Result>& out) override {
    std::vector<TimeWindow> done;
    for (auto cursor = windows_.cursor(); cursor.next();) {
      const TimeWindow window = cursor.key();
      if (window.max_timestamp() == at) emit(window, cursor.value(), context, out);
      if (clean_up_time(window) == at) done.push_back(window);
    }
    for (const auto& window : done) windows_.remove(window);
  }

 private:
  Timestamp clean_up_time(const TimeWindow& window) const {
    return saturating_add(window.max_timestamp(), options_.allowed_lateness.count());
  }
  bool is_late(const TimeWindow& window, Timestamp watermark) const {
    return clean_up_time(window) <= watermark;
  }

  void add(const TimeWindow& window, const T& value) {
    auto stored = windows_.get(window);
    auto accumulator = stored ? std::move(*stored) : aggregate_.create_accumulator();
    aggregate_.add(value, accumulator);
    windows_.put(window, accumulator);
  }

  /// Sessions: the window grown by all that it touches, whose contents move into it.
  TimeWindow merge_into(TimeWindow window, Context& context) {
    if constexpr (MergingAggregate<A>) {
      std::vector<std::pair<TimeWindow, typename A::Accumulator>> touched;
      for (auto cursor = windows_.cursor(); cursor.next();) {
        if (!cursor.key().touches(window)) continue;
        touched.emplace_back(cursor.key(), cursor.value());
      }
      if (touched.empty()) return window;
      auto merged = aggregate_.create_accumulator();
      for (const auto& [old, accumulator] : touched) {
        window = window.cover(old);
        aggregate_.merge(merged, accumulator);
        windows_.remove(old);
        context.timer_service().delete_event_time_timer(old.max_timestamp());
        context.timer_service().delete_event_time_timer(clean_up_time(old));
      }
      windows_.put(window, merged);
      return window;
    } else {
      (void)context;
      throw UnsupportedOperation{"session windows need an aggregate function with merge() (AS-04)"};
    }
  }

  void fire(const TimeWindow& window, Context& context, Collector<Result>& out) {
    if (const auto accumulator = windows_.get(window)) emit(window, *accumulator, context, out);
  }
  template <class AnyContext>
  void emit(const TimeWindow& window, const typename A::Accumulator& accumulator,
            AnyContext& context, Collector<Result>& out) {
    out.set_timestamp(window.max_timestamp());
    out.collect({context.current_key(), window, aggregate_.get_result(accumulator)});
  }

  WindowOptions<T> options_;
  A aggregate_;
  MapState<TimeWindow, typename A::Accumulator> windows_;
};

}  // namespace sluice
