// States: one keyed state of each kind, driven by named operations. All hold nullable values, as
// Java's do. Options: "default" for the value state, and "ttl".
#pragma once

#include "pipeline/functions/runtime_context.hpp"
#include "tests/parity/jobs/average.hpp"
#include "tests/parity/probes/ops.hpp"

namespace sluice::parity {

/// The average's function over inputs that may be null (AS-03).
struct NullableMean : Mean {
  using Input = NullableInt;
  void add(const Input& value, Accumulator& to) const { Mean::add(value.value(), to); }
};

class States {
 public:
  static ValueStateDescriptor<NullableInt> value_descriptor() { return {.name = "value"}; }

  States(RuntimeContext& context, const Json& options);

  /// Nothing if `op` is no operation on state.
  OpResult apply(const std::string& op, const Json& step);

 private:
  OpResult value_op(const std::string& op, const Json& step);
  OpResult list_op(const std::string& op, const Json& step);
  OpResult list_loop(const std::string& op, const Json& step);
  OpResult map_op(const std::string& op, const Json& step);
  OpResult map_view(const std::string& op);
  OpResult map_loop(const std::string& op, const Json& step);
  OpResult folding_op(const std::string& op, const Json& step);

  ValueState<NullableInt> value_;
  ListState<NullableInt> list_;
  MapState<NullableText, NullableInt> map_;
  ReducingState<NullableInt> reducing_;
  AggregatingState<NullableInt, double> aggregating_;
};

}  // namespace sluice::parity
