// Collector<T>: where a function puts its results.
#pragma once

#include "pipeline/operators/ports.hpp"

namespace sluice {

/// Passed to each call of a user function and valid during it. A record gets the time of what the
/// call is about: the input record's (CX-01), an event-time timer's (CX-03), or none (CX-05).
/// collect() runs the operators behind it before it returns (CX-08).
template <class T>
class Collector {
 public:
  void collect(const T& value) { port_->emit(value, timestamp_); }

  // --- for operators ---
  explicit Collector(detail::OutputPort<T>& port) : port_{&port} {}
  void set_timestamp(OptionalTimestamp timestamp) { timestamp_ = timestamp; }

 private:
  detail::OutputPort<T>* port_;
  OptionalTimestamp timestamp_;
};

}  // namespace sluice
