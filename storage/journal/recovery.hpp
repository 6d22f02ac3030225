// What a journal does before its first append: find out what is there and how far it is sound.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "pipeline/base/log.hpp"
#include "pipeline/base/result.hpp"
#include "pipeline/base/time.hpp"
#include "storage/journal/names.hpp"
#include "storage/journal/redelivery.hpp"

namespace sluice::storage {

struct SegmentInfo {
  std::uint64_t number{};
  std::string path;
  std::uint64_t first_sequence{};
  Timestamp created{};
  std::uint64_t bytes{};
};

struct RecoveredJournal {
  std::deque<SegmentInfo> segments;  ///< in order; each has a sound header
  std::uint64_t next_number{1};      ///< for the next segment file
  std::uint64_t last_sequence{};
  Timestamp last_time{kMinTimestamp};
  /// Part of it could not be read, so there may be records of higher numbers than that.
  bool numbers_unknown{};
  /// Segments that may not be read: a sentence with the cure; else empty.
  std::string unreadable;
  RedeliveryWindow window;
  /// Set if the last segment can be written on: the length of its sound part, and its names.
  std::optional<std::uint64_t> resume_at;
  NameTable names;
};

/// Looks through `dir`: sets aside what is no segment of ours (`foreign-…`), cuts the torn tail of
/// the last one (kept as `torn-…` unless it is only zeros), reads the end of the journal. Reports
/// all of it through `log`. An error only where the directory cannot be read at all.
///
/// Older segments are not read here but when somebody reads the journal: JournalReader uses the
/// sound part of each.
Result<RecoveredJournal> recover_journal(const std::string& dir, Log& log);

}  // namespace sluice::storage
