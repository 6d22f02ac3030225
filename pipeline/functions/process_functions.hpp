// ProcessFunction and KeyedProcessFunction: one input, state, timers, side outputs.
#pragma once

#include "pipeline/functions/collector.hpp"
#include "pipeline/functions/contexts.hpp"
#include "pipeline/functions/rich_function.hpp"

namespace sluice {

/// For streams without key; on a keyed stream it may use keyed state and timers too (TM-25).
template <class In, class Out>
class ProcessFunction : public RichFunction {
 public:
  using Input = In;
  using Result = Out;
  using Context = TimedContext;
  using OnTimerContext = TimerContext<TimedContext>;

  virtual void process_element(const In& value, Context& context, Collector<Out>& out) = 0;
  virtual void on_timer(Timestamp, OnTimerContext&, Collector<Out>&) {}
};

/// For keyed streams.
template <class K, class In, class Out>
class KeyedProcessFunction : public RichFunction {
 public:
  using Key = K;
  using Input = In;
  using Result = Out;
  using Context = KeyedContext<K>;
  using OnTimerContext = TimerContext<KeyedContext<K>>;

  virtual void process_element(const In& value, Context& context, Collector<Out>& out) = 0;
  /// `timestamp` is the timer's own, not the watermark (TM-02).
  virtual void on_timer(Timestamp, OnTimerContext&, Collector<Out>&) {}
};

}  // namespace sluice
