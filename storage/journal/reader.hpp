// Reads a journal in order, also while another thread or process appends to it. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/base/log.hpp"
#include "pipeline/base/result.hpp"
#include "storage/journal/record.hpp"
#include "storage/journal/segment.hpp"

namespace sluice::storage {

class JournalReader {
 public:
  /// Starts at the first record whose sequence is `from` or greater. Nothing is opened yet.
  JournalReader(std::string dir, std::uint64_t from, Log& log);

  /// True: `record` is the next one. False: at the end now; call again after more was appended.
  /// Of a damaged segment the sound part is read, then the next segment; each such gap is reported
  /// and counted. Sequences only grow, but may jump. Errors: a file that is there cannot be read;
  /// calling again tries again.
  Result<bool> next(JournalRecord& record);

  /// Segments whose end could not be read, so far.
  std::uint64_t damaged_segments() const { return damaged_; }

 private:
  Result<bool> open_first();
  Result<bool> open_next();
  Result<bool> open(const SegmentName& name);
  bool take(const RawRecord& raw, JournalRecord& record);
  std::string_view name(std::uint16_t number) const;

  std::string dir_;
  std::uint64_t from_;
  Log& log_;
  std::optional<SegmentCursor> cursor_;
  std::uint64_t number_{};          ///< of the open segment
  std::vector<std::string> names_;  ///< of the open segment, by number
  std::uint64_t damaged_{};
};

}  // namespace sluice::storage
