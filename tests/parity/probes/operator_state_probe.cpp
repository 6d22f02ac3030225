#include "tests/parity/probes/operator_state_probe.hpp"

#include <algorithm>

#include "tests/parity/harness/trace.hpp"

namespace sluice::parity {

namespace {

/// Java's order of texts: by UTF-16 units, of which the surrogates of code points beyond U+FFFF
/// (which begin with 0xF0 or more) come before U+E000 to U+FFFF (with 0xEE or 0xEF).
bool before(const std::string& a, const std::string& b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (in_a == a.end() || in_b == b.end()) return in_a == a.end() && in_b != b.end();
  const auto rank = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0xEE && byte < 0xF0 ? 0x100 + byte : int{byte};
  };
  return rank(*in_a) < rank(*in_b);
}

/// Sorted, since the order of a union list is open.
std::string text(const OperatorListState<std::string>& state) {
  auto items = state.get();
  std::sort(items.begin(), items.end(), before);
  std::string joined;
  for (const auto& item : items) joined += ", " + item;
  return "[" + (joined.empty() ? joined : joined.substr(2)) + "]";
}

}  // namespace

void OperatorStateProbe::initialize_state(FunctionInitializationContext& context) {
  auto& store = context.operator_state();
  split_ = store.list_state<std::string>("split");
  union_ = store.union_list_state<std::string>("union");
  broadcast_ = store.broadcast_state(
      BroadcastStateDescriptor<std::string, std::string>{.name = "broadcast"});
  Trace::get().event(std::string{"initializeState restored="} +
                     (context.is_restored() ? "true" : "false") + " split=" + text(split_) +
                     " union=" + text(union_) + " broadcast=" + owner());
}

void OperatorStateProbe::open(RuntimeContext& context) {
  const TaskInfo& task = context.task();
  Trace::get().event("open subtask=" + std::to_string(task.subtask) + "/" +
                     std::to_string(task.parallelism));
}

std::string OperatorStateProbe::map(const std::string& value) {
  split_.add(value);
  union_.add(value);
  broadcast_->put("owner", "subtask " + std::to_string(runtime_context().task().subtask));
  return value + " split=" + text(split_) + " union=" + text(union_) + " broadcast=" + owner();
}

void OperatorStateProbe::snapshot_state(std::uint64_t checkpoint_id) {
  Trace::get().event("snapshotState " + std::to_string(checkpoint_id));
}

void OperatorStateProbe::notify_checkpoint_complete(std::uint64_t checkpoint_id) {
  Trace::get().event("notifyCheckpointComplete " + std::to_string(checkpoint_id));
}

void OperatorStateProbe::close() { Trace::get().event("close"); }

std::string OperatorStateProbe::owner() const { return broadcast_->get("owner").value_or("null"); }

}  // namespace sluice::parity
