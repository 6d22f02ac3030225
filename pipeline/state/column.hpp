// StateColumn: one keyed state of one operator instance, as a column with a slot for each key.
//
// The base knows what all kinds share: presence, what changed since the last snapshot, snapshots
// and restores, background clean-up. Engine thread only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "pipeline/base/datum.hpp"
#include "pipeline/state/key_space.hpp"
#include "pipeline/state/snapshot.hpp"
#include "pipeline/state/ttl.hpp"

namespace sluice::detail {

class StateColumn {
 public:
  StateColumn(StateInfo info, KeySpace& keys, const TtlPolicy& ttl)
      : info_{std::move(info)}, keys_{keys}, ttl_{ttl} {}
  StateColumn(const StateColumn&) = delete;
  StateColumn& operator=(const StateColumn&) = delete;
  virtual ~StateColumn() = default;

  const StateInfo& info() const { return info_; }
  const TtlPolicy& ttl() const { return ttl_; }
  KeySpace& keys() const { return keys_; }

  /// Makes a slot for every index below `slots`.
  virtual void grow(std::size_t slots) = 0;
  virtual void prefetch(KeyIndex index) const = 0;

  bool present(KeyIndex index) const { return (flags(index) & kPresent) != 0; }
  /// Written or removed since the last snapshot.
  bool changed(KeyIndex index) const { return (flags(index) & kChanged) != 0; }
  /// Keys with an entry, expired ones included.
  std::size_t entries() const { return entries_; }

  /// Removes the key's entry, if any.
  virtual void drop(KeyIndex index) = 0;

  /// Writes all entries, or those that changed since the last write; then nothing counts as
  /// changed any more. With `full`, TTL-17 may leave expired entries out.
  void write(SnapshotWriter& writer, bool full);
  /// Puts a stored entry back. Does not count as a change.
  void restore(KeyIndex index, const Datum& value);
  /// One step of the background clean-up (TTL-14); nothing without TTL.
  [[gnu::always_inline]] void clean_step() {
    if (ttl_.now() < nothing_gone_before_) [[likely]] {
      cleanup_cursor_ += cleanup_size_;  // there is nothing to find on the way
    } else {
      clean(cleanup_size_);
    }
  }

 protected:
  /// Of one slot. The lower 16 bits are flags, the rest is the kind's own.
  using Flags = std::uint64_t;
  static constexpr Flags kPresent = 1;
  static constexpr Flags kChanged = 2;
  static constexpr Flags kStored = 8;  ///< the last snapshot has it; 4 is the kinds' own

  virtual Flags flags(KeyIndex index) const = 0;
  virtual Flags& flags(KeyIndex index) = 0;
  virtual Datum encode(KeyIndex index) const = 0;
  virtual void decode(KeyIndex index, const Datum& value) = 0;
  /// Removes what has expired of this key's entry. The oldest write stamp of what is left;
  /// kMaxTimestamp if nothing is.
  virtual Timestamp purge(KeyIndex index) = 0;
  /// The entry as a full snapshot with TTL-17 sees it; null if nothing of it is alive.
  virtual Datum encode_alive(KeyIndex index) const = 0;

  /// Each kind calls this when an entry appears in, changes in, or leaves its slot.
  void now_present(KeyIndex index, Flags& flag) {
    flag |= kPresent;
    ++entries_;
    keys_.retain(index);
  }
  void now_absent(KeyIndex index, Flags& flag) {
    flag &= ~kPresent;
    --entries_;
    if ((flag & kStored) != 0) {
      mark_changed(index, flag);
    } else {
      flag &= ~kChanged;  // no snapshot has it: nothing to erase there
    }
    keys_.release(index);
  }
  void mark_changed(KeyIndex index, Flags& flag) {
    if ((flag & kChanged) == 0 && keys_.tracking()) {
      flag |= kChanged;
      remember_change(index);
    }
  }
  /// Of each kind with TTL, for each stamp that it sets.
  void note_stamp(Timestamp stamp) {
    if (stamp < oldest_stamp_) set_oldest(stamp);
  }
  /// For kinds whose readers iterate: no clean-up while a reader is in the middle of an entry.
  void hold_clean_up(bool on) { held_ += on ? 1 : -1; }

 private:
  /// Looks for the oldest stamp while the clean-up cursor goes once over all slots.
  struct OldestSearch {
    std::size_t slots{0};
    std::size_t left{0};
    Timestamp oldest{kMaxTimestamp};
  };

  void remember_change(KeyIndex index);
  void drop_outdated_changes();
  void write_all(SnapshotWriter& writer);
  void write_change(SnapshotWriter& writer, KeyIndex index);
  void set_oldest(Timestamp stamp);
  void clean(std::uint32_t budget);
  void search_among(std::size_t slots);
  void put(SnapshotWriter& writer, KeyIndex index, bool full) const;

  StateInfo info_;
  KeySpace& keys_;
  TtlPolicy ttl_;
  std::uint32_t cleanup_size_{ttl_.enabled() ? ttl_.config().cleanup_size : 0};
  std::size_t entries_{0};
  std::size_t cleanup_cursor_{0};
  Timestamp oldest_stamp_{kMaxTimestamp};         ///< no entry is older
  Timestamp nothing_gone_before_{kMaxTimestamp};  ///< the end of the oldest stamp
  OldestSearch search_;
  int held_{0};
  std::vector<KeyIndex> changes_;  ///< all that are marked so, and some that were
  std::size_t most_changes_{64};   ///< with more than these, look for outdated ones first
};

}  // namespace sluice::detail
