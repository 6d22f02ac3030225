// CoProcessFunction and KeyedCoProcessFunction: two inputs of different types, one state.
// Semantics: CO-01..06. There is no order between the two inputs.
#pragma once

#include "pipeline/functions/collector.hpp"
#include "pipeline/functions/contexts.hpp"
#include "pipeline/functions/rich_function.hpp"

namespace sluice {

template <class In1, class In2, class Out>
class CoProcessFunction : public RichFunction {
 public:
  using Input1 = In1;
  using Input2 = In2;
  using Result = Out;
  using Context = TimedContext;
  using OnTimerContext = TimerContext<TimedContext>;

  virtual void process_element1(const In1& value, Context& context, Collector<Out>& out) = 0;
  virtual void process_element2(const In2& value, Context& context, Collector<Out>& out) = 0;
  virtual void on_timer(Timestamp, OnTimerContext&, Collector<Out>&) {}
};

template <class K, class In1, class In2, class Out>
class KeyedCoProcessFunction : public RichFunction {
 public:
  using Key = K;
  using Input1 = In1;
  using Input2 = In2;
  using Result = Out;
  using Context = KeyedContext<K>;
  using OnTimerContext = TimerContext<KeyedContext<K>>;

  virtual void process_element1(const In1& value, Context& context, Collector<Out>& out) = 0;
  virtual void process_element2(const In2& value, Context& context, Collector<Out>& out) = 0;
  /// The timer belongs to the key, not to a side (CO-04).
  virtual void on_timer(Timestamp, OnTimerContext&, Collector<Out>&) {}
};

}  // namespace sluice
