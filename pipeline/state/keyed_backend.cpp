#include "pipeline/state/keyed_backend.hpp"

#include <algorithm>

#include "pipeline/state/key_hash.hpp"
#include "pipeline/state/schema.hpp"

namespace sluice::detail {

bool KeyOwnership::owns(std::int32_t hash_code) const {
  if (parallelism == 1) return true;
  const auto group = key_group_of(hash_code, max_parallelism);
  return subtask_of(group, parallelism, max_parallelism) == subtask;
}

void KeyedBackend::add_restored(const StateSnapshot& state) {
  auto& unclaimed = restored_[state.info.name];
  unclaimed.info = state.info;
  unclaimed.parts.push_back(&state);
}

template <class F>
void KeyedBackend::for_each_own(const Unclaimed& state, F f) {
  for (const auto& [key, value] : state.rows) f(key, value);
  for (const auto* part : state.parts) {
    // Keys of another type are refused when the state is claimed; they cannot be told apart here.
    const bool can_tell = ownership_.parallelism > 1 && part->info.key_type == keys_.schema();
    for (const auto& [key, value] : part->rows) {
      if (!can_tell || owns(key)) f(key, value);
    }
  }
}

void KeyedBackend::keep_unclaimed() {
  for (auto& [name, state] : restored_) {
    std::vector<std::pair<Datum, Datum>> rows;
    for_each_own(state,
                 [&](const Datum& key, const Datum& value) { rows.emplace_back(key, value); });
    state.rows = std::move(rows);
    state.parts.clear();
  }
}

bool KeyedBackend::owns(const Datum& key) {
  const KeyIndex index = keys_.intern(key);
  const bool own = ownership_.owns(keys_.hash_code(index));
  keys_.forget_unused(index);
  return own;
}

StateColumn* KeyedBackend::find(const std::string& name) const {
  const auto it = std::find_if(columns_.begin(), columns_.end(),
                               [&](const auto& c) { return c->info().name == name; });
  return it == columns_.end() ? nullptr : it->get();
}

void KeyedBackend::without_name() const {
  throw InvalidArgument{"operator '" + uid_ +
                        "': a state has no name: give its descriptor one, by which it is found "
                        "again after a restore"};
}

void KeyedBackend::other_kind(const StateColumn& known, const std::string& wanted) const {
  throw InvalidArgument{"operator '" + uid_ + "': state '" + known.info().name +
                        "' exists already as " + std::string{to_string(known.info().kind)} +
                        " of " + known.info().value_type + " and cannot be used as " + wanted +
                        " too: give one of them another name (KS-06)"};
}

void KeyedBackend::adopt(std::unique_ptr<StateColumn> column) {
  StateColumn& state = *column;
  // Refused before it is known: what was restored stays as it is.
  const auto restored = restored_.find(state.info().name);
  if (restored != restored_.end()) check_restored(restored->second.info, state.info());
  columns_.push_back(std::move(column));
  keys_.attach(state);
  if (state.ttl().enabled() && state.ttl().config().cleanup_every_record) {
    every_record_.push_back(&state);
  }
  claim_restored(state);
}

void KeyedBackend::check_restored(const StateInfo& stored, const StateInfo& current) const {
  std::string problem;
  if (stored.kind != current.kind) {
    problem = "it was a " + std::string{to_string(stored.kind)} + " state and is a " +
              std::string{to_string(current.kind)} + " state now";
  } else if (stored.ttl != current.ttl) {  // TTL-20
    problem = stored.ttl ? "it was stored with a time-to-live and has none now"
                         : "it was stored without a time-to-live and has one now";
  } else if (stored.key_type != current.key_type) {  // as it is, without any evolution: SE-03
    problem =
        "its keys were stored as " + stored.key_type + " but are " + current.key_type + " now";
  } else if (auto value = check_schema(stored.value_type, current.value_type); !value) {
    problem = value.error().message() + " (stored type " + stored.value_type + ", type now " +
              current.value_type + ")";
  }
  if (problem.empty()) return;
  throw StateMigrationError{"operator '" + uid_ + "', state '" + current.name +
                            "' cannot be restored: " + problem +
                            "; go back to the old definition, or give the state another name to "
                            "start it afresh"};
}

void KeyedBackend::claim_restored(StateColumn& column) {
  const auto it = restored_.find(column.info().name);
  if (it == restored_.end()) return;
  for_each_own(it->second, [&](const Datum& key, const Datum& value) {
    column.restore(keys_.intern(key), value);
  });
  restored_.erase(it);
}

void KeyedBackend::write(SnapshotWriter& writer, bool full) {
  for (auto& column : columns_) column->write(writer, full);
  if (!full) return;
  for (const auto& [name, state] : restored_) {
    writer.begin_state(state.info, true);
    for (const auto& [key, value] : state.rows) writer.put(key, value);
  }
}

std::size_t KeyedBackend::entries() const {
  std::size_t sum = 0;
  for (const auto& column : columns_) sum += column->entries();
  for (const auto& [name, state] : restored_) sum += state.rows.size();
  return sum;
}

}  // namespace sluice::detail
