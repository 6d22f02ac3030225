#include "pipeline/timers/timer_heap.hpp"

namespace sluice::detail {

void TimerHeap::pop() {
  const Timer last = timers_.back();
  timers_.pop_back();
  if (!timers_.empty()) sink(0, last);
}

void TimerHeap::exchange(std::vector<Timer>& timers) {
  timers_.swap(timers);
  for (std::size_t at = timers_.size(); at-- > 0;) sink(at, Timer{timers_[at]});
}

std::size_t TimerHeap::earliest_child(std::size_t first) const {
  const auto better = [this](std::size_t a, std::size_t b) {
    // Selected without a branch: in a heap of random times nobody could predict it.
    const auto take_b = std::size_t{0} - static_cast<std::size_t>(earlier_(timers_[b], timers_[a]));
    return a + ((b - a) & take_b);
  };
  if (first + kChildren <= timers_.size()) {
    return better(better(first, first + 1), better(first + 2, first + 3));
  }
  std::size_t best = first;
  for (std::size_t child = first + 1; child < timers_.size(); ++child) best = better(best, child);
  return best;
}

// Moves the earliest child up until `timer` fits into the gap.
void TimerHeap::sink(std::size_t at, const Timer& timer) {
  for (std::size_t first = at * kChildren + 1; first < timers_.size(); first = at * kChildren + 1) {
    const std::size_t best = earliest_child(first);
    if (!earlier_(timers_[best], timer)) break;
    timers_[at] = timers_[best];
    at = best;
  }
  timers_[at] = timer;
}

}  // namespace sluice::detail
