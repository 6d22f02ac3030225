// KeySpace: the keys of one keyed operator, each with a dense index, and which of them is current.
//
// A key is looked up once per event; from then on every state is an array access by index. An
// index is given back when its key has neither state nor timers left (and, where changes are being
// tracked for incremental checkpoints, once the erasures are written). Engine thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/base/datum.hpp"
#include "pipeline/state/paged_array.hpp"

namespace sluice::detail {

using KeyIndex = std::uint32_t;
inline constexpr KeyIndex kNoKey = 0xFFFFFFFF;

class StateColumn;

/// What columns and timers need to know about keys, whatever the key's type.
class KeySpace {
 public:
  KeySpace() = default;
  KeySpace(const KeySpace&) = delete;
  KeySpace& operator=(const KeySpace&) = delete;
  virtual ~KeySpace() = default;

  /// The current key's index. Throws IllegalState if there is none (KS-04).
  KeyIndex current() const {
    if (current_ == kNoKey) no_key_set();
    return current_;
  }
  bool is_current(KeyIndex index) const { return current_ == index; }
  bool has_current() const { return current_ != kNoKey; }
  /// For timers, restores and apply_to_keyed_state; kNoKey means none.
  void set_current(KeyIndex index) {
    if (index == current_) return;
    const KeyIndex left = current_;
    current_ = index;
    if (!current_may_be_unused_) return;
    current_may_be_unused_ = false;
    if (left != kNoKey) release_if_unused(left);
  }

  /// How many indexes were ever handed out; columns have a slot for each.
  std::size_t capacity() const { return capacity_; }

  /// One more thing (a state entry, a timer) hangs on this key.
  void retain(KeyIndex index) { ++uses_of(index); }
  /// One less. The key itself goes when it stops being the current one.
  void release(KeyIndex index) {
    if (--uses_of(index) != 0) return;
    if (index == current_) {
      current_may_be_unused_ = true;
    } else {
      release_if_unused(index);
    }
  }

  virtual Datum encode(KeyIndex index) const = 0;
  virtual std::string schema() const = 0;
  /// The index of a stored key, made if new.
  virtual KeyIndex intern(const Datum& key) = 0;
  /// Asks for the memory of a key and its states, which will be needed soon.
  virtual void prefetch(KeyIndex index) const = 0;
  /// What keys are ordered by where their order shows: a hash of the key, which unlike its index is
  /// the same in each run, before and after a restore.
  virtual std::uint32_t rank(KeyIndex index) const = 0;
  /// The order of keys of one rank: by what they look like when stored.
  bool before(KeyIndex a, KeyIndex b) const;
  /// By rank, then as before() says.
  void sort(std::vector<KeyIndex>& indexes) const;
  /// Flink's hash code of the key, for key groups (KS-08).
  virtual std::int32_t hash_code(KeyIndex index) const = 0;

  /// Gives an index back if nothing hangs on its key.
  void forget_unused(KeyIndex index) { release_if_unused(index); }

  /// Columns announce themselves so that they grow with the keys.
  void attach(StateColumn& column);
  /// Keeps indexes of changed keys until the change is written (see changes_written).
  void track_changes(bool on) { tracking_ = on; }
  bool tracking() const { return tracking_; }
  /// After a snapshot: indexes that waited for it may be given back.
  void changes_written();
  /// How many wait: never more than there are keys.
  std::size_t waiting() const { return waiting_.size(); }

 protected:
  /// Throws IllegalState.
  [[noreturn]] virtual void no_key_set() const;
  virtual std::uint32_t& uses_of(KeyIndex index) = 0;
  virtual bool& waits(KeyIndex index) = 0;
  virtual void forget(KeyIndex index) = 0;
  void grow_columns(std::size_t capacity);
  void prefetch_columns(KeyIndex index) const;

  KeyIndex current_{kNoKey};
  /// Whether to look, when the current key is left, if anything hangs on it.
  bool current_may_be_unused_{false};
  std::size_t capacity_{0};
  std::vector<KeyIndex> free_;

 private:
  void release_if_unused(KeyIndex index);
  void wait(KeyIndex index);

  std::vector<StateColumn*> columns_;
  std::vector<KeyIndex> waiting_;
  bool tracking_{false};
};

}  // namespace sluice::detail
