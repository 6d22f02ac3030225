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
  void clean_step() {
    if (cleanup_size_ == 0) return;
    if (ttl_.expired(oldest_stamp_)) {
      clean(cleanup_size_);
    } else {
      cleanup_cursor_ += cleanup_size_;  // there is nothing to find on the way
    }
  }

 protected:
  static constexpr std::uint8_t kPresent = 1;
  static constexpr std::uint8_t kChanged = 2;

  virtual std::uint8_t flags(KeyIndex index) const = 0;
  virtual std::uint8_t& flags(KeyIndex index) = 0;
  virtual Datum encode(KeyIndex index) const = 0;
  virtual void decode(KeyIndex index, const Datum& value) = 0;
  /// Removes what has expired of this key's entry. The oldest write stamp of what is left;
  /// kMaxTimestamp if nothing is.
  virtual Timestamp purge(KeyIndex index) = 0;
  /// The entry as a full snapshot with TTL-17 sees it; null if nothing of it is alive.
  virtual Datum encode_alive(KeyIndex index) const = 0;

  /// Each kind calls this when an entry appears in, changes in, or leaves its slot.
  void now_present(KeyIndex index, std::uint8_t& flag) {
    flag |= kPresent;
    ++entries_;
    keys_.retain(index);
  }
  void now_absent(KeyIndex index, std::uint8_t& flag) {
    flag &= static_cast<std::uint8_t>(~kPresent);
    --entries_;
    mark_changed(index, flag);
    keys_.release(index);
  }
  void mark_changed(KeyIndex index, std::uint8_t& flag) {
    if ((flag & kChanged) == 0 && keys_.tracking()) {
      flag |= kChanged;
      remember_change(index);
    }
  }
  /// Of each kind with TTL, for each stamp that it sets.
  void note_stamp(Timestamp stamp) { oldest_stamp_ = std::min(oldest_stamp_, stamp); }
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
  void clean(std::uint32_t budget);
  void search_among(std::size_t slots);
  void put(SnapshotWriter& writer, KeyIndex index, bool full) const;

  StateInfo info_;
  KeySpace& keys_;
  TtlPolicy ttl_;
  std::uint32_t cleanup_size_{ttl_.enabled() ? ttl_.config().cleanup_size : 0};
  std::size_t entries_{0};
  std::size_t cleanup_cursor_{0};
  Timestamp oldest_stamp_{kMaxTimestamp};  ///< no entry is older; before it expires none has
  OldestSearch search_;
  int held_{0};
  std::vector<KeyIndex> changes_;
};

}  // namespace sluice::detail
