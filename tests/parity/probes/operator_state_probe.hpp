// OperatorStateProbe: the life cycle, and how operator state is redistributed: every element is
// kept in a split list and in a union list, and the instance's own name in a broadcast state.
#pragma once

#include "pipeline/functions/checkpointed_function.hpp"
#include "pipeline/functions/simple_functions.hpp"

namespace sluice::parity {

class OperatorStateProbe final : public MapFunction<std::string, std::string>,
                                 public CheckpointedFunction {
 public:
  void initialize_state(FunctionInitializationContext& context) override;
  void open(RuntimeContext& context) override;
  std::string map(const std::string& value) override;
  void snapshot_state(std::uint64_t checkpoint_id) override;
  void notify_checkpoint_complete(std::uint64_t checkpoint_id) override;
  void close() override;

 private:
  std::string owner() const;

  OperatorListState<std::string> split_;
  OperatorListState<std::string> union_;
  std::optional<BroadcastState<std::string, std::string>> broadcast_;
};

}  // namespace sluice::parity
