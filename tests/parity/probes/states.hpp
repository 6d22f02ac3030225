// States: one keyed state of each kind, driven by named operations. All hold nullable values, as
// Java's do. Options: "default" for the value state, and "ttl".
#pragma once

#include <variant>

#include "pipeline/functions/runtime_context.hpp"
#include "tests/parity/harness/emulation.hpp"
#include "tests/parity/jobs/average.hpp"
#include "tests/parity/probes/list_ops.hpp"
#include "tests/parity/probes/map_ops.hpp"
#include "tests/parity/probes/nullable.hpp"
#include "tests/parity/probes/ops.hpp"

namespace sluice::parity {

/// The average's function over inputs that may be null (AS-03).
struct NullableMean : Mean {
  using Input = NullableInt;
  void add(const Input& value, Accumulator& to) const { Mean::add(value.value(), to); }
};

class States {
 public:
  static ValueStateDescriptor<UnstorableNull> value_descriptor() { return {.name = "value"}; }

  States(RuntimeContext& context, const Json& options, Emulation& emulation);

  /// Nothing if `op` is no operation on state.
  OpResult apply(const std::string& op, const Json& step);

 private:
  using Ttl = std::optional<TtlConfig>;
  States(RuntimeContext& context, const Json& options, const Ttl& ttl, Emulation& emulation);

  OpResult value_op(const std::string& op, const Json& step);
  OpResult folding_op(const std::string& op, const Json& step);
  void reducing_add(const NullableInt& value);

  ValueState<UnstorableNull> value_;
  ListOps list_;
  std::variant<MapOps<NullableInt>, MapOps<UnstorableNull>> map_;
  ReducingState<UnstorableNull> reducing_;
  AggregatingState<NullableInt, double> aggregating_;
  Ttl ttl_;
  Emulation& emulation_;
};

}  // namespace sluice::parity
