// TimerQueue: the pending timers of one operator instance in one time domain, a set over (key,
// timestamp) that gives its earliest member (TM-03, TM-06). Engine thread only.
//
// A TimerOrder gives the order; a set says which of its timers still count. Deleting only takes a
// timer out of the set; it is skipped when it comes up, and the order is made anew when most of it
// is such leftovers: a monitor that re-arms its timer with each reading stays cheap.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/base/time.hpp"
#include "pipeline/state/key_space.hpp"
#include "pipeline/state/snapshot.hpp"
#include "pipeline/timers/timer_order.hpp"
#include "pipeline/timers/timer_set.hpp"

namespace sluice::detail {

class TimerQueue {
 public:
  explicit TimerQueue(KeySpace& keys) : keys_{keys}, earlier_{keys} {}

  void add(const Timer& timer);
  void remove(const Timer& timer);

  /// The earliest pending timer, or nothing.
  const Timer* earliest();
  /// Takes the earliest out (TM-02). Only after earliest() gave one.
  Timer take_earliest();

  std::size_t size() const { return set_.size(); }
  /// In the order of firing: for tests and inspection.
  std::vector<Timer> pending() const;

  /// Writes all timers, or those added and removed since the last write (TM-12).
  void write(SnapshotWriter& writer, const StateInfo& info, bool full);
  /// Puts a stored timer back. Does not count as a change.
  void restore(const Timer& timer);

 private:
  void put_in_order(const Timer& timer) {
    order_.push({timer.at, timer.key, keys_.rank(timer.key)});
  }
  std::vector<Timer> ranked() const;
  void drop_leftovers();
  Datum encode(const Timer& timer) const;
  void remember_added(const Timer& timer);
  void remember_removed(const Timer& timer);
  void forget_changes();

  KeySpace& keys_;
  FiringOrder earlier_;
  PendingTimers set_;
  TimerOrder order_{earlier_};
  /// Net changes since the last write: a timer armed and disarmed in between is in neither.
  TimerSet added_;
  TimerSet removed_;  // each holds its key, whose index must not go to another key before the write
};

}  // namespace sluice::detail
