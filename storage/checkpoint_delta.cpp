#include "storage/checkpoint_delta.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace sluice::storage {

void CheckpointDelta::begin_operator(const OperatorInfo& info) { operators_.push_back(info); }

void CheckpointDelta::begin_state(const StateInfo& info, bool full) {
  states_.push_back({operators_.size() - 1, info, full, {}});
}

void CheckpointDelta::put(Datum key, Datum value) {
  states_.back().rows.push_back({std::move(key), std::move(value)});
}

void CheckpointDelta::erase(Datum key) {
  states_.back().rows.push_back({std::move(key), std::nullopt});
}

void CheckpointDelta::append(CheckpointDelta&& newer) {
  const std::size_t shift = operators_.size();
  for (State& state : newer.states_) {
    const OperatorInfo& owner = newer.operators_[state.operator_index];
    if (state.full) {
      // What is about to be void need not wait in memory.
      for (State& older : states_) {
        const OperatorInfo& other = operators_[older.operator_index];
        if (other.uid == owner.uid && other.subtask == owner.subtask &&
            older.info.name == state.info.name && older.info.kind == state.info.kind) {
          std::vector<Row>{}.swap(older.rows);
        }
      }
    }
    state.operator_index += shift;
  }
  std::move(newer.operators_.begin(), newer.operators_.end(), std::back_inserter(operators_));
  std::move(newer.states_.begin(), newer.states_.end(), std::back_inserter(states_));
  newer.operators_.clear();
  newer.states_.clear();
}

std::size_t CheckpointDelta::rows() const {
  std::size_t count = 0;
  for (const State& state : states_) count += state.rows.size();
  return count;
}

}  // namespace sluice::storage
