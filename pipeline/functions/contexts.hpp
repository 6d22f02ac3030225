// Contexts: what a process function may ask for during one call. Valid during that call (CX-07).
#pragma once

#include <cstdint>

#include "pipeline/base/time.hpp"
#include "pipeline/functions/output_tag.hpp"

namespace sluice {

namespace detail {
class Operator;
}

enum class TimeDomain : std::uint8_t { kEventTime, kProcessingTime };

/// Timers of the current key; times are milliseconds since 1970. Semantics: TM-01..26. On a stream
/// without key only the two clocks work; the rest throws UnsupportedOperation (TM-20).
class TimerService {
 public:
  explicit TimerService(detail::Operator& op) : operator_{&op} {}

  /// kMinTimestamp before the first watermark (WM-19).
  Timestamp current_watermark() const;
  Timestamp current_processing_time() const;
  /// Fires once when the watermark reaches `at`; registering twice is registering once (TM-03).
  void register_event_time_timer(Timestamp at);
  /// Fires once when processing time has passed `at` (TM-13, TM-23).
  void register_processing_time_timer(Timestamp at);
  /// By exact time; of an unknown timer: nothing happens (TM-04).
  void delete_event_time_timer(Timestamp at);
  void delete_processing_time_timer(Timestamp at);

 private:
  detail::Operator* operator_;
};

/// The part that all contexts share.
class FunctionContext {
 public:
  explicit FunctionContext(detail::Operator& op) : operator_{&op}, timers_{op} {}

  /// The time of the element or timer at hand; nothing for an element without (CX-02).
  OptionalTimestamp timestamp() const;
  /// Emits to a side output, with the time of the element or timer (SO-01, SO-02).
  template <class T>
  void output(const OutputTag<T>& tag, const T& value);

  // Each kind of function makes public what it may use of these.
 protected:
  detail::Operator& op() const { return *operator_; }
  TimerService& timers() { return timers_; }

 private:
  detail::Operator* operator_;
  TimerService timers_;
};

/// A context with a timer service.
class TimedContext : public FunctionContext {
 public:
  using FunctionContext::FunctionContext;
  TimerService& timer_service() { return timers(); }
};

/// A context that knows the key.
template <class K, class Base = TimedContext>
class KeyedContext : public Base {
 public:
  using Base::Base;
  const K& current_key() const;
};

/// A context of on_timer: `Base` and the domain of the timer that fires (TM-14).
template <class Base>
class TimerContext : public Base {
 public:
  using Base::Base;
  TimeDomain time_domain() const;
};

}  // namespace sluice
