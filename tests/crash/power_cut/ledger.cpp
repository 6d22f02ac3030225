#include "tests/crash/power_cut/ledger.hpp"

#include <algorithm>

namespace sluice::crash {

bool PowerVerdict::kept(Promise promise, std::uint64_t cuts) const {
  // What is left is a beginning of what came in, whatever else is promised.
  bool kept = gaps <= cuts && counted_twice == 0 && alerts_missing == 0;
  if (promise != Promise::kLatest)
    kept = kept && lost_too_early == 0 && alerts_unknown == 0 && recognisable == alerts_repeated;
  return kept && (promise != Promise::kNothing || lost == 0);
}

void PowerLedger::published(std::uint64_t number, bool loud) {
  const std::lock_guard lock{mutex_};
  Entry& entry = entries_[number];
  entry.published = true;
  entry.loud = loud;
}

void PowerLedger::heard_count(std::uint64_t number) {
  const std::lock_guard lock{mutex_};
  auto& known = entries_[number].known;
  known = std::min(known, PowerClock::now());
}

void PowerLedger::heard_alert(std::uint64_t number, const std::string& id) {
  const std::lock_guard lock{mutex_};
  Entry& entry = entries_[number];
  entry.known = std::min(entry.known, PowerClock::now());
  entry.alerts.insert(id);
}

bool PowerLedger::has_heard_count(std::uint64_t number) const {
  const std::lock_guard lock{mutex_};
  return entries_.contains(number);
}

bool PowerLedger::has_heard_alert(std::uint64_t number) const {
  const std::lock_guard lock{mutex_};
  const auto found = entries_.find(number);
  return found != entries_.end() && !found->second.alerts.empty();
}

bool PowerLedger::may_be_gone(const Entry& entry, std::chrono::milliseconds window) const {
  // The first cut after it was known decides; one that was not known of may have come any time.
  if (entry.known == PowerClock::time_point::max()) return true;
  const auto cut = std::upper_bound(cuts_.begin(), cuts_.end(), entry.known);
  return cut != cuts_.end() && *cut - entry.known <= window;
}

PowerVerdict PowerLedger::compare(const std::map<std::uint64_t, std::uint64_t>& counted,
                                  std::chrono::milliseconds window) const {
  const std::lock_guard lock{mutex_};
  PowerVerdict verdict;
  bool in_gap = false;
  for (const auto& [number, entry] : entries_) {
    if (!entry.published) continue;  // the rig's greetings
    const auto found = counted.find(number);
    const std::uint64_t count = found == counted.end() ? 0 : found->second;
    ++verdict.readings;
    if (count > 1) verdict.counted_twice += count - 1;
    if (count == 0) {
      ++verdict.lost;
      if (!may_be_gone(entry, window)) ++verdict.lost_too_early;
      if (!in_gap) ++verdict.gaps;
      if (!entry.alerts.empty()) ++verdict.alerts_unknown;
    } else if (entry.loud && entry.alerts.empty()) {
      ++verdict.alerts_missing;
    }
    in_gap = count == 0;
    if (entry.alerts.empty()) continue;
    const std::set<std::string> ids{entry.alerts.begin(), entry.alerts.end()};
    verdict.alerts_repeated += entry.alerts.size() - 1;
    verdict.recognisable += entry.alerts.size() - ids.size();
  }
  return verdict;
}

}  // namespace sluice::crash
