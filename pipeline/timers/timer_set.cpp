#include "pipeline/timers/timer_set.hpp"

#include <utility>

namespace sluice::detail {

std::size_t TimerSet::hash(const Timer& timer) {
  const auto mixed = (static_cast<std::uint64_t>(timer.at) ^ (std::uint64_t{timer.key} << 40) ^
                      (std::uint64_t{timer.key} * 0xD1B54A32D192ED03ULL)) *
                     0x9E3779B97F4A7C15ULL;
  return static_cast<std::size_t>(mixed >> 20);
}

std::size_t TimerSet::find(const Timer& timer) const {
  std::size_t at = hash(timer) & mask();
  while (slots_[at].key != kNoKey && !(slots_[at] == timer)) at = (at + 1) & mask();
  return at;
}

bool TimerSet::insert(const Timer& timer) {
  if ((size_ + 1) * 2 > slots_.size()) resize();
  Timer& slot = slots_[find(timer)];
  if (slot.key != kNoKey) return false;
  slot = timer;
  ++size_;
  return true;
}

bool TimerSet::erase(const Timer& timer) {
  std::size_t gap = find(timer);
  if (slots_[gap].key == kNoKey) return false;
  --size_;
  // Whatever probed past the gap moves into it, so no tombstones are needed.
  for (std::size_t at = (gap + 1) & mask(); slots_[at].key != kNoKey; at = (at + 1) & mask()) {
    const std::size_t home = hash(slots_[at]) & mask();
    if (((at - home) & mask()) >= ((at - gap) & mask())) {
      slots_[gap] = slots_[at];
      gap = at;
    }
  }
  slots_[gap] = Timer{};
  return true;
}

std::vector<Timer> TimerSet::all() const {
  std::vector<Timer> timers;
  timers.reserve(size_);
  for (const Timer& slot : slots_) {
    if (slot.key != kNoKey) timers.push_back(slot);
  }
  return timers;
}

void TimerSet::resize() {
  std::vector<Timer> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Timer& timer : old) {
    if (timer.key != kNoKey) slots_[find(timer)] = timer;
  }
}

bool PendingTimers::insert(const Timer& timer) {
  by_key_.grow(timer.key + std::size_t{1});
  OfKey& of_key = by_key_[timer.key];
  if (of_key.is(timer) || (of_key.others != 0 && others_.contains(timer))) return false;
  if (of_key.armed) {
    others_.insert(timer);
    ++of_key.others;
  } else {
    of_key.at = timer.at;
    of_key.armed = true;
  }
  ++size_;
  return true;
}

bool PendingTimers::erase(const Timer& timer) {
  if (timer.key >= by_key_.size()) return false;
  OfKey& of_key = by_key_[timer.key];
  if (of_key.is(timer)) {
    of_key.armed = false;
  } else if (of_key.others != 0 && others_.erase(timer)) {
    --of_key.others;
  } else {
    return false;
  }
  --size_;
  return true;
}

bool PendingTimers::contains(const Timer& timer) const {
  if (timer.key >= by_key_.size()) return false;
  const OfKey& of_key = by_key_[timer.key];
  return of_key.is(timer) || (of_key.others != 0 && others_.contains(timer));
}

std::vector<Timer> PendingTimers::all() const {
  std::vector<Timer> timers = others_.all();
  timers.reserve(size_);
  for (std::size_t key = 0; key < by_key_.size(); ++key) {
    if (by_key_[key].armed) timers.push_back({by_key_[key].at, static_cast<KeyIndex>(key)});
  }
  return timers;
}

}  // namespace sluice::detail
