// TimerQueue: the pending timers of one operator instance in one time domain, a set over (key,
// timestamp) that gives its earliest member (TM-03, TM-06). Engine thread only.
//
// A binary heap gives the order; a hash set says which heap entries still count. Deleting only
// takes a timer out of the set, its heap entry is skipped when it comes up, and the heap is rebuilt
// when most of it is such leftovers: a monitor that re-arms its timer with each reading stays cheap.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/base/time.hpp"
#include "pipeline/state/key_space.hpp"
#include "pipeline/state/snapshot.hpp"

namespace sluice::detail {

struct Timer {
  Timestamp at{};
  KeyIndex key{kNoKey};

  friend bool operator==(const Timer&, const Timer&) = default;
};

/// An open-addressing set of timers.
class TimerSet {
 public:
  TimerSet() : slots_(kFirstSize) {}
  /// False if it was there already.
  bool insert(const Timer& timer);
  /// False if it was not there.
  bool erase(const Timer& timer);
  bool contains(const Timer& timer) const { return slots_[find(timer)].key != kNoKey; }
  std::size_t size() const { return size_; }
  /// Unordered.
  std::vector<Timer> all() const;

 private:
  static constexpr std::size_t kFirstSize = 16;
  static std::size_t hash(const Timer& timer);
  std::size_t mask() const { return slots_.size() - 1; }
  /// The slot of the timer, or the free slot where it would go.
  std::size_t find(const Timer& timer) const;
  void resize();

  std::vector<Timer> slots_;  // a free slot has key kNoKey
  std::size_t size_{0};
};

class TimerQueue {
 public:
  explicit TimerQueue(KeySpace& keys) : keys_{keys} {}

  void add(const Timer& timer);
  void remove(const Timer& timer);

  /// The earliest pending timer, or nothing.
  const Timer* earliest();
  /// Takes the earliest out (TM-02). Only after earliest() gave one.
  Timer take_earliest();

  std::size_t size() const { return set_.size(); }
  /// Sorted by time, then key index: for tests and inspection.
  std::vector<Timer> pending() const;

  /// Writes all timers, or those added and removed since the last write (TM-12).
  void write(SnapshotWriter& writer, const StateInfo& info, bool full);
  /// Puts a stored timer back. Does not count as a change.
  void restore(const Timer& timer);

 private:
  void push(const Timer& timer);
  void drop_leftovers();
  Datum encode(const Timer& timer) const;
  void remember_added(const Timer& timer);
  void remember_removed(const Timer& timer);
  void forget_changes();

  KeySpace& keys_;
  TimerSet set_;
  std::vector<Timer> heap_;
  /// Net changes since the last write: a timer armed and disarmed in between is in neither.
  TimerSet added_;
  TimerSet removed_;  // each holds its key, whose index must not go to another key before the write
};

}  // namespace sluice::detail
