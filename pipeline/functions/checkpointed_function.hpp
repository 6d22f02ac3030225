// CheckpointedFunction: for user functions with operator state. Semantics: OS-01..11, CP-03.
#pragma once

#include <cstdint>

#include "pipeline/state/operator_state.hpp"

namespace sluice {

class FunctionInitializationContext {
 public:
  FunctionInitializationContext(OperatorStateStore& store, bool restored)
      : store_{store}, restored_{restored} {}
  OperatorStateStore& operator_state() { return store_; }
  /// True if the operator comes back from a checkpoint (OS-03).
  bool is_restored() const { return restored_; }

 private:
  OperatorStateStore& store_;
  bool restored_;
};

/// Mix it into any function; the runtime finds it.
class CheckpointedFunction {
 public:
  virtual ~CheckpointedFunction() = default;
  /// Always, before open(), also on a first start (OS-01).
  virtual void initialize_state(FunctionInitializationContext& context) = 0;
  /// At each checkpoint, before the operator state is written (OS-02).
  virtual void snapshot_state(std::uint64_t checkpoint_id) = 0;
  /// Later than the snapshot, maybe never: the checkpoint is durable (CP-03).
  virtual void notify_checkpoint_complete(std::uint64_t /*checkpoint_id*/) {}
};

}  // namespace sluice
