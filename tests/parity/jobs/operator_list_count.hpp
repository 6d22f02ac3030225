// Operator list state: counts the elements of an operator instance; emits the count before the
// element (JOB-07). The state is brought up to date at checkpoints only (OS-02).
#pragma once

#include "pipeline/graph/stream.hpp"

namespace sluice::parity {

class OperatorListCount : public MapFunction<std::string, std::string>,
                          public CheckpointedFunction {
 public:
  std::string map(const std::string&) override { return std::to_string(count_++); }

  void initialize_state(FunctionInitializationContext& context) override {
    state_ = context.operator_state().list_state<std::int64_t>("state");
    if (!context.is_restored()) return;
    // After rescaling to fewer instances there are several counts (OS-05).
    for (const auto restored : state_.get()) count_ += restored;
  }
  void snapshot_state(std::uint64_t) override { state_.update({count_}); }

 protected:
  std::int64_t count() const { return count_; }

 private:
  std::int64_t count_{0};
  OperatorListState<std::int64_t> state_;
};

}  // namespace sluice::parity
