#include "pipeline/operators/redistribution.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace sluice::detail {

namespace {

std::vector<const OperatorSnapshot*> in_subtask_order(std::vector<const OperatorSnapshot*> former) {
  std::sort(former.begin(), former.end(),
            [](const auto* a, const auto* b) { return a->info.subtask < b->info.subtask; });
  return former;
}

using ByName = std::map<std::string, StateSnapshot>;

/// All rows of each state of a kind, in old subtask order.
ByName collect(StateKind kind, const std::vector<const OperatorSnapshot*>& former) {
  ByName states;
  for (const auto* snapshot : former) {
    for (const auto& state : snapshot->states) {
      if (state.info.kind != kind) continue;
      auto& merged = states[state.info.name];
      merged.info = state.info;
      merged.rows.insert(merged.rows.end(), state.rows.begin(), state.rows.end());
    }
  }
  return states;
}

/// Contiguous runs, the first ones one longer; with several states the longer runs rotate on.
void split(ByName states, std::uint32_t subtask, std::uint32_t parallelism,
           std::vector<StateSnapshot>& result) {
  std::uint32_t start = 0;
  for (auto& [name, state] : states) {
    const std::size_t base = state.rows.size() / parallelism;
    const std::size_t longer = state.rows.size() % parallelism;
    std::size_t from = 0;
    StateSnapshot own{state.info, {}};
    for (std::uint32_t i = 0; i < parallelism; ++i) {
      const std::size_t count = base + (i < longer ? 1 : 0);
      if ((i + start) % parallelism == subtask) {
        for (std::size_t row = from; row < from + count; ++row) {
          own.rows.push_back(std::move(state.rows[row]));
        }
      }
      from += count;
    }
    start = static_cast<std::uint32_t>((start + longer) % parallelism);
    result.push_back(std::move(own));
  }
}

void take_kind(const OperatorSnapshot& from, StateKind kind, std::vector<StateSnapshot>& result) {
  for (const auto& state : from.states) {
    if (state.info.kind == kind) result.push_back(state);
  }
}

}  // namespace

std::vector<StateSnapshot> operator_states_for(std::uint32_t subtask, std::uint32_t parallelism,
                                               const std::vector<const OperatorSnapshot*>& former) {
  std::vector<StateSnapshot> result;
  if (former.empty()) return result;
  const auto ordered = in_subtask_order(former);
  const std::uint32_t old_parallelism = ordered.front()->info.parallelism;

  for (auto& [name, state] : collect(StateKind::kUnionList, ordered)) result.push_back(state);
  for (const auto* snapshot : ordered) {
    if (snapshot->info.subtask == subtask % old_parallelism) {
      take_kind(*snapshot, StateKind::kBroadcast, result);
    }
    if (parallelism == old_parallelism && snapshot->info.subtask == subtask) {
      take_kind(*snapshot, StateKind::kSplitList, result);
    }
  }
  if (parallelism != old_parallelism) {
    split(collect(StateKind::kSplitList, ordered), subtask, parallelism, result);
  }
  return result;
}

}  // namespace sluice::detail
