// Segment files seen from outside a journal: which there are, and what is in one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/base/result.hpp"
#include "storage/file.hpp"
#include "storage/journal/format.hpp"

namespace sluice::storage {

/// A file whose name says that it is a segment: `00000001.log`.
struct SegmentName {
  std::uint64_t number{};
  std::string path;
};

std::string segment_path(const std::string& dir, std::uint64_t number);

/// The segments of a directory by rising number. Nothing is opened. A directory that is not there
/// has none.
Result<std::vector<SegmentName>> list_segments(const std::string& dir);

/// Walks through the records of one segment, also while it is being written. One thread.
class SegmentCursor {
 public:
  /// Reads the file's header; `header_check()` says what it is.
  static Result<SegmentCursor> open(const std::string& path);

  HeaderCheck header_check() const { return check_; }
  const SegmentHeader& header() const { return header_; }

  /// The next record, topic records included; its payload is valid until the next call. Anything
  /// but kSound leaves the position where it is, and the next call looks again.
  Result<RecordCheck> next(RawRecord& record);

  /// Where the next record begins: the end of the sound part, once next() finds no more.
  std::uint64_t offset() const { return offset_; }
  /// Of the last record's payload.
  std::uint32_t payload_crc() const { return payload_crc_; }
  /// How long the file is now.
  Result<std::uint64_t> file_size() const;
  const std::string& path() const { return path_; }

 private:
  Result<bool> refill(std::size_t needed);

  std::string path_;
  File file_;
  HeaderCheck check_{};
  SegmentHeader header_;
  std::uint64_t offset_{kSegmentHeaderSize};
  std::uint32_t payload_crc_{};
  std::string buffer_;
  std::size_t position_{};  ///< of offset_ in the buffer
};

}  // namespace sluice::storage
