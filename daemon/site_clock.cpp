#include "daemon/site_clock.hpp"

#include <algorithm>
#include <utility>

namespace sluice::daemon {

namespace {

constexpr Timestamp kSmallestStep = 500;

template <class Clock>
Timestamp read_clock() {
  return std::chrono::duration_cast<Duration>(Clock::now().time_since_epoch()).count();
}

}  // namespace

SiteClock::Clocks SiteClock::system_clocks() {
  return {read_clock<std::chrono::system_clock>, read_clock<std::chrono::steady_clock>};
}

SiteClock::SiteClock(Timestamp not_before, Clocks clocks) : clocks_{std::move(clocks)} {
  const Timestamp steady = clocks_.steady();
  const Timestamp wall = clocks_.wall();
  wall_offset_ = wall - steady;
  offset_ = std::max(wall, not_before) - steady;
  looked_at_ = steady;
}

Timestamp SiteClock::check_for_step(const std::function<void(Timestamp)>& before_adopting) {
  const Timestamp wall_offset = clocks_.wall() - clocks_.steady();
  const Timestamp step = wall_offset - wall_offset_;
  if (step > -kSmallestStep && step < kSmallestStep) return 0;
  wall_offset_ = wall_offset;
  looked_at_ = clocks_.steady();  // half speed counts from the step on
  // Only ahead: record times never go back. After a step back, or while still ahead from one,
  // there is less or nothing to catch up.
  const Timestamp ahead = wall_offset - offset_;
  if (ahead > 0) {
    if (before_adopting) before_adopting(ahead);
    offset_ = wall_offset;
  }
  return step;
}

Timestamp SiteClock::fall_back() {
  const Timestamp steady = clocks_.steady();
  const Timestamp elapsed = steady - std::exchange(looked_at_, steady);
  const Timestamp back = std::clamp<Timestamp>(ahead(), 0, elapsed / 2);
  offset_ -= back;
  return back;
}

}  // namespace sluice::daemon
