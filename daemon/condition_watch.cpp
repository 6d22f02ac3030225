#include "daemon/condition_watch.hpp"

namespace sluice::daemon {

namespace {
constexpr std::chrono::seconds kSettled{5};
}

void ConditionWatch::remember(const Condition& condition, Time now) {
  seen_.insert_or_assign(condition.code, Seen{condition, now, now, true});
}

std::vector<ConditionWatch::Change> ConditionWatch::look(const std::vector<Condition>& conditions,
                                                         Time now) {
  std::vector<Change> changes;
  for (const auto& condition : conditions) {
    auto& seen = seen_.try_emplace(condition.code, Seen{condition, now, now}).first->second;
    seen.condition = condition;
    seen.last = now;
    if (seen.said || now - seen.first < kSettled) continue;
    seen.said = true;
    changes.push_back({condition, false});
  }
  for (auto it = seen_.begin(); it != seen_.end();) {
    const Seen& seen = it->second;
    // One that never counted is forgotten at once, so its five seconds are five in a row.
    const bool gone = seen.said ? now - seen.last >= kSettled : seen.last != now;
    if (!gone) {
      ++it;
      continue;
    }
    if (seen.said) changes.push_back({seen.condition, true});
    it = seen_.erase(it);
  }
  return changes;
}

}  // namespace sluice::daemon
