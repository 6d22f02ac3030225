// TimerHeap: timers in order, the earliest on top. A heap with four children to a node: half as
// deep as a binary one, and the children lie side by side. Engine thread only.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "pipeline/timers/timer.hpp"

namespace sluice::detail {

class TimerHeap {
 public:
  explicit TimerHeap(FiringOrder earlier) : earlier_{earlier} {}

  bool empty() const { return timers_.empty(); }
  std::size_t size() const { return timers_.size(); }
  const Timer& front() const { return timers_.front(); }

  void push(const Timer& timer) {
    timers_.push_back(timer);
    rise(timers_.size() - 1, timer);
  }
  void pop();
  /// Takes these timers instead of all it had.
  void assign(std::vector<Timer> timers) { exchange(timers); }
  /// The same, and gives those it had, in no order: memory is used again.
  void exchange(std::vector<Timer>& timers);
  /// Gives all its timers away.
  std::vector<Timer> take() { return std::exchange(timers_, {}); }

 private:
  static constexpr std::size_t kChildren = 4;

  void rise(std::size_t at, const Timer& timer) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / kChildren;
      if (!earlier_(timer, timers_[parent])) break;
      timers_[at] = timers_[parent];
      at = parent;
    }
    timers_[at] = timer;
  }
  void sink(std::size_t at, const Timer& timer);
  std::size_t earliest_child(std::size_t first) const;

  FiringOrder earlier_;
  std::vector<Timer> timers_;
};

}  // namespace sluice::detail
