// GapDesk: readings that never came: counted by source over restarts, logged at most once a minute
// for each source.
#pragma once

#include <map>
#include <string>

#include "daemon/engine/counters.hpp"
#include "daemon/engine/gap_watch.hpp"
#include "pipeline/base/datum.hpp"
#include "pipeline/base/log.hpp"

namespace sluice::daemon {

/// Engine thread.
class GapDesk {
 public:
  /// All references outlive it. Shows what it counts in `counters`.
  GapDesk(const Config& config, Counters& counters, Log& log);

  /// `now` is the time of the journal record that made it certain.
  void note(const Gap& gap, Timestamp now);

  /// What must be kept beside the snapshot; and back. Sources that are gone from the file are kept.
  Datum save() const;
  void restore(const Datum& saved);

 private:
  Counters& counters_;
  Log& log_;
  std::map<std::string, GapTotals> totals_;  ///< by source
};

/// "numbers 21 to 100 of sensor 'mill' never came": for log and conditions. Printable.
std::string describe_gap(const std::string& sensor, std::int64_t from, std::int64_t to);

/// What a site can do about it.
inline constexpr std::string_view kGapCure =
    "if the broker dropped them while sluice was away, raise its max_queued_messages";

}  // namespace sluice::daemon
