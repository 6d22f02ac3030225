// RichFunction: the life every user function has. Semantics: RF-01..08.
#pragma once

#include "pipeline/functions/runtime_context.hpp"

namespace sluice {

namespace detail {
class Operator;
}

/// One object for each operator instance (RF-05), used by one thread. Order of calls: initialize
/// (CheckpointedFunction) → open → elements, timers, snapshots → close (RF-01).
class RichFunction {
 public:
  virtual ~RichFunction() = default;

  /// Once, before the first element. Get state handles here.
  virtual void open(RuntimeContext&) {}
  /// Once, after the last element, on success and on failure (RF-02). If some function of the job
  /// fails to initialize or to open, all are closed, those too that were not opened any more.
  virtual void close() {}

  /// Throws IllegalState before the operator has started (RF-04).
  RuntimeContext& runtime_context() const;

 private:
  friend class detail::Operator;
  RuntimeContext* context_{};
};

}  // namespace sluice
