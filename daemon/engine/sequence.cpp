#include "daemon/engine/sequence.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sluice::daemon {

namespace {

/// Whoever sends every other number of a large gap must not fill our memory.
constexpr std::size_t kMostOpen = 64;

/// From one number to another.
struct Way {
  std::int64_t ahead{};    ///< negative: behind
  std::int64_t modulus{};  ///< where the count wrapped in between, or 0
};

Way way(std::int64_t from, std::int64_t to) {
  if (to >= from) return {to - from, 0};
  for (const int bits : {8, 16, 32}) {
    const std::int64_t modulus = std::int64_t{1} << bits;
    // Near its end only: a count that falls from anywhere else is a device that was restarted.
    const std::int64_t margin = std::min<std::int64_t>(modulus / 64, 1024);
    if (from >= modulus || from < modulus - margin || to >= margin) continue;
    const std::int64_t ahead = to + modulus - from;
    // Restarted devices say 0 or 1: then the end of the count must be near indeed.
    if (to > 1 || ahead <= 4) return {ahead, modulus};
  }
  return {to - from, 0};
}

/// True if the number was missing and is not any more.
bool fill(std::vector<OpenGap>& open, std::int64_t number) {
  const auto gap = std::find_if(open.begin(), open.end(), [&](const OpenGap& one) {
    return one.from <= number && number <= one.to;
  });
  if (gap == open.end()) return false;
  OpenGap rest = *gap;
  gap->to = number - 1;
  rest.from = number + 1;
  const bool front_is_empty = gap->from > gap->to;
  if (rest.from <= rest.to) {
    if (front_is_empty) {
      *gap = rest;
    } else {
      open.insert(std::next(gap), rest);
    }
  } else if (front_is_empty) {
    open.erase(gap);
  }
  return true;
}

template <class Test>
std::vector<OpenGap> take_if(std::vector<OpenGap>& open, Test test) {
  std::vector<OpenGap> taken;
  if (open.empty()) return taken;
  std::copy_if(open.begin(), open.end(), std::back_inserter(taken), test);
  std::erase_if(open, test);
  return taken;
}

bool leads_on(const Way& way) { return way.ahead > 0 && way.ahead <= kLargestGap; }

/// Whether a number behind the highest is one that was overtaken, or came twice.
bool is_old_news(const Way& way, std::int64_t number) {
  return way.ahead == 0 || (way.ahead < 0 && way.ahead >= -kOvertaking && number > 1);
}

void open_gap(SequenceState& state, const Way& way, std::int64_t number, Timestamp now) {
  const std::int64_t first = state.highest + 1;
  if (way.modulus == 0) {
    if (first < number) state.open.push_back({first, number - 1, now, 0});
    return;
  }
  if (first < way.modulus) state.open.push_back({first, way.modulus - 1, now, 0});
  // Counts that wrap to 1 never say 0.
  if (number > 1) state.open.push_back({0, number - 1, now, 0});
}

}  // namespace

SequenceState first_number(std::int64_t number) {
  SequenceState state;
  state.highest = number;
  return state;
}

std::vector<OpenGap> next_number(SequenceState& state, std::int64_t number, Timestamp now) {
  if (fill(state.open, number)) {
    if (state.open.size() <= kMostOpen) return {};
    const OpenGap oldest = state.open.front();
    state.open.erase(state.open.begin());
    return {oldest};
  }
  Way here = way(state.highest, number);
  if (state.before) {
    // It leads on the old count more closely than the new one: that was a stray reading.
    const Way there = way(*state.before, number);
    if (leads_on(there) && (here.ahead <= 0 || there.ahead < here.ahead)) {
      state.highest = *state.before;
      state.before.reset();
      here = there;
    } else if (leads_on(here) && ++state.since_before >= kOvertaking) {
      state.before.reset();
    }
  }
  if (is_old_news(here, number)) return {};
  if (!leads_on(here)) {
    state.before = std::exchange(state.highest, number);
    state.since_before = 0;
    return std::exchange(state.open, {});
  }
  for (OpenGap& gap : state.open) ++gap.since;
  open_gap(state, here, number, now);
  state.highest = number;
  return take_if(state.open, [](const OpenGap& gap) { return gap.since >= kOvertaking; });
}

std::vector<OpenGap> overdue(SequenceState& state, Timestamp now) {
  return take_if(state.open, [now](const OpenGap& gap) {
    return saturating_add(gap.opened, kOvertakingTime) <= now;
  });
}

}  // namespace sluice::daemon
