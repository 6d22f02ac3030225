// Counters of what the engine has done since start, for status and metrics. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "pipeline/plugin/format.hpp"

namespace sluice::daemon {

/// Of one source: readings that never came, by the sensors' own count. Over restarts.
struct GapTotals {
  std::uint64_t gaps{0};
  std::uint64_t missing{0};  ///< readings, in all gaps together
  // The newest gap, if there was one.
  Timestamp noticed{0};
  std::string sensor;
  std::int64_t from{0};
  std::int64_t to{0};
  std::uint64_t unnumbered{0};  ///< messages with readings but without a number, since start
};

class Counters {
 public:
  std::atomic<std::uint64_t> messages{0};  ///< processed, settings and commands included
  std::atomic<std::uint64_t> readings{0};
  std::atomic<std::uint64_t> late{0};  ///< readings behind the watermark
  std::atomic<std::uint64_t> alerts{0};
  std::atomic<std::uint64_t> values{0};
  std::atomic<std::uint64_t> settings_accepted{0};
  std::atomic<std::uint64_t> settings_rejected{0};
  std::atomic<std::uint64_t> retained_ignored{0};  ///< old messages that a broker replayed
  std::atomic<std::uint64_t> set_aside{0};         ///< messages that a monitor failed on
  std::atomic<std::uint64_t> restarts{0};          ///< of the pipeline, after a monitor failed
  std::atomic<std::uint64_t> progress{
      0};  ///< grows with each turn of the engine; feeds the watchdog

  /// Monitors that failed again and again and are left out until the next start.
  void suspend(const std::string& monitor) {
    const std::lock_guard lock{mutex_};
    suspended_.insert(monitor);
  }
  std::set<std::string> suspended() const {
    const std::lock_guard lock{mutex_};
    return suspended_;
  }

  /// Never fewer than before: going back to a checkpoint makes no gap undone.
  void show_gaps(const std::string& source, const GapTotals& totals) {
    const std::lock_guard lock{mutex_};
    GapTotals& shown = gaps_[source];
    if (totals.gaps <= shown.gaps) return;
    const auto unnumbered = shown.unnumbered;
    shown = totals;
    shown.unnumbered = unnumbered;
  }
  void count_unnumbered(const std::string& source) {
    const std::lock_guard lock{mutex_};
    ++gaps_[source].unnumbered;
  }
  std::map<std::string, GapTotals> gaps() const {
    const std::lock_guard lock{mutex_};
    return gaps_;
  }

  using Rejected = std::map<std::pair<std::string, RejectReason>, std::uint64_t>;

  void count_rejected(const std::string& source, RejectReason reason) {
    const std::lock_guard lock{mutex_};
    ++rejected_[{source, reason}];
  }
  Rejected rejected() const {
    const std::lock_guard lock{mutex_};
    return rejected_;
  }

 private:
  mutable std::mutex mutex_;
  Rejected rejected_;
  std::map<std::string, GapTotals> gaps_;
  std::set<std::string> suspended_;
};

}  // namespace sluice::daemon
