#include "pipeline/timers/timer_queue.hpp"

#include <algorithm>

namespace sluice::detail {

void TimerQueue::add(const Timer& timer) {
  if (!set_.insert(timer)) return;
  if (set_.count(timer.key) == 1) keys_.retain(timer.key);  // once for all timers of a key
  remember_added(timer);
  put_in_order(timer);
}

void TimerQueue::remove(const Timer& timer) {
  if (!set_.erase(timer)) return;
  remember_removed(timer);
  if (set_.count(timer.key) == 0) keys_.release(timer.key);
  if (order_.size() > 2 * set_.size() + 64) drop_leftovers();
}

const Timer* TimerQueue::earliest() {
  while (!order_.empty()) {
    if (set_.contains(order_.front())) return &order_.front();
    order_.pop();
  }
  return nullptr;
}

Timer TimerQueue::take_earliest() {
  const Timer timer = order_.front();
  order_.pop();
  set_.erase(timer);
  remember_removed(timer);
  // The caller makes the key current before this release can give its index back.
  if (set_.count(timer.key) == 0) keys_.release(timer.key);
  return timer;
}

std::vector<Timer> TimerQueue::pending() const {
  std::vector<Timer> timers = ranked();
  std::sort(timers.begin(), timers.end(), earlier_);
  return timers;
}

std::vector<Timer> TimerQueue::ranked() const {
  std::vector<Timer> timers = set_.all();
  for (Timer& timer : timers) timer.rank = keys_.rank(timer.key);
  return timers;
}

void TimerQueue::drop_leftovers() { order_.assign(ranked()); }

Datum TimerQueue::encode(const Timer& timer) const {
  return Datum::List{keys_.encode(timer.key), Datum{timer.at}};
}

void TimerQueue::remember_added(const Timer& timer) {
  if (!keys_.tracking()) return;
  if (removed_.erase(timer)) {
    keys_.release(timer.key);
  } else {
    added_.insert(timer);
  }
}

void TimerQueue::remember_removed(const Timer& timer) {
  if (!keys_.tracking() || added_.erase(timer)) return;
  removed_.insert(timer);
  keys_.retain(timer.key);
}

void TimerQueue::forget_changes() {
  for (const Timer& timer : removed_.all()) keys_.release(timer.key);
  added_ = TimerSet{};
  removed_ = TimerSet{};
}

void TimerQueue::write(SnapshotWriter& writer, const StateInfo& info, bool full) {
  if (full) {
    writer.begin_state(info, true);
    for (const Timer& timer : pending()) writer.put(encode(timer), Datum{true});
  } else if (added_.size() + removed_.size() > 0) {
    writer.begin_state(info, false);
    for (const Timer& timer : removed_.all()) writer.erase(encode(timer));
    for (const Timer& timer : added_.all()) writer.put(encode(timer), Datum{true});
  }
  forget_changes();
}

void TimerQueue::restore(const Timer& timer) {
  if (!set_.insert(timer)) return;
  if (set_.count(timer.key) == 1) keys_.retain(timer.key);  // once for all timers of a key
  put_in_order(timer);
}

}  // namespace sluice::detail
