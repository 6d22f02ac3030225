#include "pipeline/state/operator_state.hpp"

#include <algorithm>

#include "pipeline/state/schema.hpp"

namespace sluice {

void detail::null_list_element() {
  throw InvalidArgument{"a null element cannot be added to an operator list state (OS-08)"};
}

detail::OperatorStateTable* OperatorStateStore::find(const std::string& name) const {
  const auto it = std::find_if(tables_.begin(), tables_.end(),
                               [&](const auto& t) { return t->info().name == name; });
  return it == tables_.end() ? nullptr : it->get();
}

void OperatorStateStore::without_name(StateKind wanted) const {
  throw InvalidArgument{"operator '" + uid_ + "': a " + std::string{to_string(wanted)} +
                        " state has no name: give it one, by which it is found again after a "
                        "restore"};
}

void OperatorStateStore::other_kind(const detail::OperatorStateTable& known,
                                    StateKind wanted) const {
  throw IllegalState{"operator '" + uid_ + "': state '" + known.info().name + "' is a " +
                     std::string{to_string(known.info().kind)} + " of " + known.info().value_type +
                     " and cannot be used as a " + std::string{to_string(wanted)} +
                     " of another type or kind (OS-09, BC-04)"};
}

namespace {

std::string described(const StateInfo& state) {
  return std::string{to_string(state.kind)} + " of " + state.value_type +
         (state.key_type.empty() ? "" : " by " + state.key_type);
}

}  // namespace

void OperatorStateStore::add_restored(StateSnapshot state) {
  for (auto& known : restored_) {
    if (known.info.name != state.info.name) continue;
    known.rows.insert(known.rows.end(), state.rows.begin(), state.rows.end());
    return;
  }
  restored_.push_back(std::move(state));
}

detail::OperatorStateTable& OperatorStateStore::adopt(
    std::unique_ptr<detail::OperatorStateTable> table) {
  const auto it = std::find_if(restored_.begin(), restored_.end(), [&](const StateSnapshot& s) {
    return s.info.name == table->info().name;
  });
  if (it != restored_.end()) {
    const StateInfo& now = table->info();
    auto fits = check_schema(it->info.value_type, now.value_type);
    if (fits) fits = check_schema(it->info.key_type, now.key_type);
    if (it->info.kind != now.kind || !fits) {
      throw StateMigrationError{
          "operator '" + uid_ + "', state '" + now.name + "' cannot be restored: it was a " +
          described(it->info) + " and is a " + described(now) +
          " now; go back to the old definition, or give the state another name (SE-04)"};
    }
    for (const auto& [key, value] : it->rows) table->restore_row(key, value);
    restored_.erase(it);
  }
  return *tables_.emplace_back(std::move(table));
}

void OperatorStateStore::write(SnapshotWriter& writer, bool full) {
  for (auto& table : tables_) table->write(writer, full);
  if (!full) return;
  for (const auto& state : restored_) {
    writer.begin_state(state.info, true);
    for (const auto& [key, value] : state.rows) writer.put(key, value);
  }
}

}  // namespace sluice
