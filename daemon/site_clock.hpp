// SiteClock: the time that goes into the journal. Starts as the wall clock and then runs with the
// monotonic clock, so nobody who sets the wall clock can stop or jump our timers.
//
// A step forward (NTP after a boot without a clock) is adopted, which the daemon journals; after a
// step back the clock is ahead of the wall, and goes at half speed until that has caught up. Any
// thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "pipeline/base/time.hpp"

namespace sluice::daemon {

class SiteClock {
 public:
  /// Both in milliseconds; the second from any start. For tests.
  struct Clocks {
    std::function<Timestamp()> wall;
    std::function<Timestamp()> steady;
  };

  /// Never starts before `not_before`, the newest time in the journal.
  explicit SiteClock(Timestamp not_before = kMinTimestamp, Clocks clocks = system_clocks());

  Timestamp now() const { return clocks_.steady() + offset_.load(); }

  /// How far the wall clock was moved since the last time this said so; 0 if by less than half a
  /// second. A step forward is adopted by now() at once, but first `before_adopting` hears how far
  /// now() will jump: who journals it there can be sure that no other thread has used the new time.
  /// Call it about once a second; one thread.
  Timestamp check_for_step(const std::function<void(Timestamp)>& before_adopting = {});

  /// How far now() is ahead of the wall clock, after that was set back. One thread, as above.
  Timestamp ahead() const { return offset_.load() - wall_offset_; }
  /// While it is ahead: how far it was held back just now, for at most half the time since the last
  /// call, so that it still went on; else 0. That much more real time has passed than now() shows.
  /// The same thread.
  Timestamp fall_back();

  static Clocks system_clocks();

 private:
  Clocks clocks_;
  std::atomic<Timestamp> offset_;  ///< now() − steady
  Timestamp wall_offset_;          ///< wall − steady, when last looked at
  Timestamp looked_at_;            ///< by fall_back(), steady
};

}  // namespace sluice::daemon
