// KeyedStateTest: keyed state of one operator instance without an operator around it: a key space,
// a backend, a clock. restored() is what the operator would be after a snapshot and a restore.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <utility>

#include "pipeline/state/keyed_backend.hpp"
#include "pipeline/state/typed_key_space.hpp"

namespace sluice::test {

/// One instance's keys and states. Times are the test's to set.
struct KeyedInstance {
  explicit KeyedInstance(detail::KeyOwnership ownership = {})
      : backend{"operator", keys, now, ownership} {}

  void select(const std::string& key) {
    keys.select(key);
    backend.key_changed();
  }
  /// Everything, as the operator would write it.
  OperatorSnapshot snapshot() {
    MemorySnapshot all;
    write(all, true);
    return all.job().operators.front();
  }
  void write(MemorySnapshot& to, bool full) {
    to.begin_operator({"operator", 0, 1, 128});
    backend.write(to, full);
    keys.changes_written();
  }
  void restore(OperatorSnapshot snapshot_to_keep) {
    const auto& from = restored_from.emplace_back(std::move(snapshot_to_keep));
    const bool tracking = keys.tracking();
    keys.track_changes(false);
    for (const auto& state : from.states) backend.add_restored(state);
    keys.track_changes(tracking);
  }

  Timestamp now{0};
  detail::TypedKeySpace<std::string> keys;
  detail::KeyedBackend backend;
  std::deque<OperatorSnapshot> restored_from;
};

/// What `f` throws, as text; empty if it throws nothing of that type.
template <class Exception, class F>
std::string thrown(F&& f) {
  try {
    f();
  } catch (const Exception& e) {
    return e.what();
  }
  return "";
}

}  // namespace sluice::test
