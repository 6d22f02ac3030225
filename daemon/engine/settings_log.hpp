// SettingsLog: what the log says about accepted settings: each by itself while they are few, a sum
// where they come by the hundred, as after a start with an empty database.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "pipeline/base/log.hpp"
#include "pipeline/base/time.hpp"
#include "pipeline/records/setting.hpp"

namespace sluice::daemon {

/// Engine thread. Times are those of the journal, which never go back.
class SettingsLog {
 public:
  /// Settings that get a line of their own within a minute.
  static constexpr int kLinesPerMinute = 10;

  explicit SettingsLog(Log& log) : log_{log} {}

  /// Writes a line, or counts it for the next sum. `payload` is as it came.
  void accepted(const Setting& setting, const std::string& payload, Timestamp now);

  /// Every second or so: writes the sum of those counted once no more have come for five seconds,
  /// or their minute is over.
  void tend(Timestamp now);

 private:
  void sum_up();

  Log& log_;
  Timestamp minute_{kMinTimestamp};
  Timestamp newest_{kMinTimestamp};
  int lines_{};
  std::map<std::string, std::uint64_t> counted_;  ///< by monitor
};

}  // namespace sluice::daemon
