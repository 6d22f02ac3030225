#include "pipeline/state/snapshot.hpp"

#include <algorithm>

namespace sluice {

std::string_view to_string(StateKind kind) {
  switch (kind) {
    case StateKind::kValue: return "value";
    case StateKind::kList: return "list";
    case StateKind::kMap: return "map";
    case StateKind::kReducing: return "reducing";
    case StateKind::kAggregating: return "aggregating";
    case StateKind::kEventTimers: return "event-timers";
    case StateKind::kProcessingTimers: return "processing-timers";
    case StateKind::kSplitList: return "split-list";
    case StateKind::kUnionList: return "union-list";
    case StateKind::kBroadcast: return "broadcast";
  }
  return "unknown";
}

namespace {

bool key_less(const std::pair<Datum, Datum>& row, const Datum& key) {
  return datum_less(row.first, key);
}

void sort_rows(std::vector<std::pair<Datum, Datum>>& rows) {
  std::sort(rows.begin(), rows.end(),
            [](const auto& a, const auto& b) { return datum_less(a.first, b.first); });
}

}  // namespace

void MemorySnapshot::begin_operator(const OperatorInfo& info) {
  state_ = nullptr;
  for (auto& known : job_.operators) {
    if (known.info.uid == info.uid && known.info.subtask == info.subtask) {
      known.info = info;
      operator_ = &known;
      return;
    }
  }
  operator_ = &job_.operators.emplace_back(OperatorSnapshot{info, {}});
}

void MemorySnapshot::begin_state(const StateInfo& info, bool full) {
  auto& states = operator_->states;
  auto it = std::find_if(states.begin(), states.end(), [&](const StateSnapshot& s) {
    return s.info.name == info.name && s.info.kind == info.kind;
  });
  if (it == states.end()) it = states.insert(states.end(), StateSnapshot{info, {}});
  it->info = info;
  full_ = full;
  // A full state comes with unique keys and is only appended to; changes need to find their row.
  full ? it->rows.clear() : sort_rows(it->rows);
  state_ = &*it;
}

void MemorySnapshot::put(Datum key, Datum value) {
  auto& rows = state_->rows;
  const auto it = full_ ? rows.end() : std::lower_bound(rows.begin(), rows.end(), key, key_less);
  if (it != rows.end() && it->first == key) {
    it->second = std::move(value);
  } else {
    rows.insert(it, {std::move(key), std::move(value)});
  }
}

void MemorySnapshot::erase(Datum key) {
  if (full_) return;
  auto& rows = state_->rows;
  const auto it = std::lower_bound(rows.begin(), rows.end(), key, key_less);
  if (it != rows.end() && it->first == key) rows.erase(it);
}

}  // namespace sluice
