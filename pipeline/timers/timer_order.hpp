// TimerOrder: pending timers, the earliest first. Engine thread only.
//
// Few timers are in a heap. Where there are many, most of them wait in a ring of buckets, a second
// or so of time each, unordered: only those of the bucket whose time has come are put into order.
//
//   due ◄─ now_ (heap, up to a bucket) ◄─ ring_ (about an hour) ◄─ later_ (heap, the rest)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "pipeline/timers/timer_heap.hpp"

namespace sluice::detail {

class TimerOrder {
 public:
  explicit TimerOrder(FiringOrder earlier) : earlier_{earlier} {}

  bool empty() const { return size() == 0; }
  std::size_t size() const { return now_.size() + in_ring_ + later_.size(); }
  /// Only if there is one.
  const Timer& front() {
    if (now_.empty()) fetch();
    return now_.front();
  }
  void push(const Timer& timer);
  /// Only after front().
  void pop() { now_.pop(); }
  /// Takes these timers instead of all it had.
  void assign(std::vector<Timer> timers);

 private:
  static constexpr int kBucketBits = 10;  // 1.024 s
  static constexpr std::size_t kBuckets = 4096;
  static constexpr std::size_t kManyTimers = 4096;

  /// Buckets by number rather than by time: there the last one does not overflow.
  static std::int64_t bucket_of(const Timer& timer) { return timer.at >> kBucketBits; }
  static std::size_t place_of(std::int64_t bucket) {
    return static_cast<std::size_t>(bucket) % kBuckets;
  }
  void place(const Timer& timer);
  void fetch();
  void fill_ring();
  void put_into_ring(const Timer& timer);
  std::int64_t next_bucket() const;

  FiringOrder earlier_;
  TimerHeap now_{earlier_};
  TimerHeap later_{earlier_};
  std::vector<std::vector<Timer>> ring_;  // empty until there are many timers
  std::array<std::uint64_t, kBuckets / 64> occupied_{};
  std::size_t in_ring_{0};
  std::int64_t now_bucket_{0};  // all timers up to the end of this one are in now_
  bool everything_now_{true};   // while there is no ring
};

}  // namespace sluice::detail
