// The table of all points at which the process can be made to die, and what must come of it.
#pragma once

#include <span>

namespace sluice::crash {

/// What leads the daemon to the point.
enum class Way {
  kFirstStart,    ///< with an empty data folder
  kReadings,      ///< readings come in, alerts go out
  kCheckpoint,    ///< likewise, and the command to take one
  kDamagedRun,    ///< likewise, and noise is written over the database
  kOldSegments,   ///< likewise, behind more of a journal than is kept for redeliveries
  kStop,          ///< SIGTERM
  kStart,         ///< a start after kill -9, with a journal to process
  kDamagedStart,  ///< a start that finds noise for a database
  kTornStart,     ///< likewise, with noise behind the journal's end and a segment that is none
};

/// Whether alerts come a second time, with the id of the first. Readings and counts are exact at
/// every point, and no alert is ever missing.
enum class Repeats {
  kNever,
  kMaybe,   ///< those that were on their way
  kSurely,  ///< the broker had one that we did not know it had
};

struct CrashPoint {
  const char* at;  ///< as storage::crash_point() names it, and the how manieth time
  Way way;
  Repeats repeats;
  const char* recovery;
};

std::span<const CrashPoint> crash_points();

}  // namespace sluice::crash
