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
  std::set<std::string> suspended_;
};

}  // namespace sluice::daemon
