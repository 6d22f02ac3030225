// Reads a journal in order, also while another thread or process appends to it. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pipeline/base/log.hpp"
#include "pipeline/base/result.hpp"
#include "storage/journal/holes.hpp"
#include "storage/journal/record.hpp"
#include "storage/journal/segment.hpp"

namespace sluice::storage {

class JournalReader {
 public:
  /// Starts at the first record whose sequence is `from` or greater. Nothing is opened yet. With
  /// `from` 0 it is not known which one that should be.
  JournalReader(std::string dir, std::uint64_t from, Log& log);

  /// True: `record` is the next one. False: at the end now; call again after more was appended.
  /// Of a damaged segment the sound part is read, then the next segment; likewise of one that
  /// cannot be read after some tries. Each is reported and counted. Sequences only grow, but may
  /// jump: see holes(). An error only where the directory cannot be read; calling again tries
  /// again.
  Result<bool> next(JournalRecord& record);

  /// Segments whose end could not be read, so far.
  std::uint64_t damaged_segments() const { return damaged_; }
  /// What should have come, so far, and did not: from `from` on, or from the first record.
  const JournalHoles& holes() const { return holes_; }

 private:
  Result<bool> look(JournalRecord& record);
  Result<bool> leave_unreadable(const Error& why);
  Result<bool> open_first();
  Result<bool> open_next();
  Result<bool> open(const SegmentName& name);
  bool take(const RawRecord& raw, JournalRecord& record);
  void note_hole(std::uint64_t next);
  std::string_view name(std::uint16_t number) const;

  std::string dir_;
  std::uint64_t from_;  ///< the next one that is wanted
  bool expected_;       ///< and it is known that it was written
  Log& log_;
  std::optional<SegmentCursor> cursor_;
  std::uint64_t number_{};          ///< of the open segment
  std::vector<std::string> names_;  ///< of the open segment, by number
  std::uint64_t damaged_{};
  std::optional<std::uint64_t> unreadable_;  ///< number of the segment that made look() fail
  std::set<std::uint64_t> left_out_;         ///< segments that could not be read
  std::uint64_t skipped_before_{};           ///< a mark says: before this record ...
  std::uint64_t last_stored_{};              ///< ... nothing was stored behind that one
  JournalHoles holes_;
};

}  // namespace sluice::storage
