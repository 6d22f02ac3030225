// Ledger of power cuts: what was published, what was heard of it and when, when the power went, and
// whether that fits to what is left.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace sluice::crash {

using PowerClock = std::chrono::steady_clock;

/// What may be gone after a power cut.
enum class Promise {
  kNothing,       ///< sync = "each"
  kLastInterval,  ///< sync = "alert"
  kLatest,        ///< sync = "never": what the kernel had not written yet, alerts or not
};

struct PowerVerdict {
  std::uint64_t readings{0};
  std::uint64_t lost{0};
  std::uint64_t lost_too_early{0};  ///< of these: known for longer than may be lost
  std::uint64_t gaps{0};            ///< runs of lost ones
  std::uint64_t counted_twice{0};
  std::uint64_t alerts_unknown{0};  ///< published, and their reading was lost
  std::uint64_t alerts_missing{0};  ///< of what was not lost
  std::uint64_t alerts_repeated{0};
  std::uint64_t recognisable{0};  ///< of these: with the id of the first

  bool kept(Promise promise, std::uint64_t cuts) const;
};

/// Any thread.
class PowerLedger {
 public:
  /// `loud`: the reading raises an alert.
  void published(std::uint64_t number, bool loud);
  /// That the daemon has published the count of this reading: it had it by now.
  void heard_count(std::uint64_t number);
  void heard_alert(std::uint64_t number, const std::string& id);
  void power_cut(PowerClock::time_point at) { cuts_.push_back(at); }
  bool has_heard_count(std::uint64_t number) const;
  bool has_heard_alert(std::uint64_t number) const;

  /// `counted`: how often each reading is in the final state. What was heard of within `window`
  /// before a cut may be gone.
  PowerVerdict compare(const std::map<std::uint64_t, std::uint64_t>& counted,
                       std::chrono::milliseconds window) const;

 private:
  struct Entry {
    bool published{};
    bool loud{};
    PowerClock::time_point known{PowerClock::time_point::max()};  ///< first sign of it
    std::multiset<std::string> alerts;                            ///< ids
  };
  bool may_be_gone(const Entry& entry, std::chrono::milliseconds window) const;

  mutable std::mutex mutex_;
  std::map<std::uint64_t, Entry> entries_;
  std::vector<PowerClock::time_point> cuts_;
};

}  // namespace sluice::crash
