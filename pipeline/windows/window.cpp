#include "pipeline/windows/window.hpp"

namespace sluice {

WindowAssigner::WindowAssigner(Duration size, Duration slide, Duration offset, bool merging)
    : size_{size.count()}, slide_{slide.count()}, offset_{offset.count()}, merging_{merging} {
  if (size_ <= 0 || slide_ <= 0) {
    throw InvalidArgument{"a window's size, slide or gap must be positive"};
  }
  if (offset_ <= -slide_ || offset_ >= slide_) {
    throw InvalidArgument{"a window's offset must be smaller than its slide"};
  }
}

WindowAssigner WindowAssigner::tumbling(Duration size, Duration offset) {
  return {size, size, offset, false};
}

WindowAssigner WindowAssigner::sliding(Duration size, Duration slide, Duration offset) {
  return {size, slide, offset, false};
}

WindowAssigner WindowAssigner::sessions(Duration gap) { return {gap, gap, Duration{0}, true}; }

// Whether the way from `start` up to `t` is: the difference may be no Timestamp.
bool WindowAssigner::is_less_than_size(Timestamp start, Timestamp t) const {
  return static_cast<std::uint64_t>(t) - static_cast<std::uint64_t>(start) <
         static_cast<std::uint64_t>(size_);
}

std::vector<TimeWindow> WindowAssigner::assign(Timestamp t) const {
  std::vector<TimeWindow> windows;
  if (merging_) {
    windows.push_back({t, saturating_add(t, size_)});
    return windows;
  }
  // Floor, also for times before 1970 (TM-21). At the ends of time windows are cut, not wrapped.
  Timestamp remainder = saturating_add(t % slide_, -(offset_ % slide_)) % slide_;
  if (remainder < 0) remainder += slide_;
  for (Timestamp start = saturating_add(t, -remainder); is_less_than_size(start, t);
       start = saturating_add(start, -slide_)) {
    windows.push_back({start, saturating_add(start, size_)});
    if (start == kMinTimestamp) break;
  }
  return windows;
}

}  // namespace sluice
