// Appends records to one segment file. The journal's lock protects it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "pipeline/base/result.hpp"
#include "storage/file.hpp"
#include "storage/journal/format.hpp"
#include "storage/journal/names.hpp"

namespace sluice::storage {

class SegmentWriter {
 public:
  /// Creates the file with its header; leaves nothing behind if that fails. With `reserve` > 0 the
  /// file system is asked to set that many bytes aside; where it will not, that is no failure.
  static Result<SegmentWriter> create(const std::string& path, const SegmentHeader& header,
                                      std::uint64_t reserve);
  /// Goes on behind the sound part of an existing segment, whose names were read already.
  static Result<SegmentWriter> resume(const std::string& path, std::uint64_t offset,
                                      NameTable names);

  /// Whether this record still belongs here; an empty segment takes any.
  bool has_room(const JournalRecordView& record, std::uint64_t segment_bytes) const;

  /// One system call. On failure the file is cut back to what it was, as far as the disk lets us;
  /// the writer must not be used any more then. `last_stored` is the number of the record before
  /// this one: where that is not the next lower, the segment says that what lies between was never
  /// stored, so that nobody takes it for lost.
  Status append(const JournalRecordView& record, std::uint32_t payload_crc,
                std::uint64_t last_stored);

  /// Gives back what was reserved and not used. The file stays open for a later sync.
  void finish() noexcept;

  std::uint64_t offset() const { return offset_; }
  const std::shared_ptr<File>& file() const { return file_; }
  const std::string& path() const { return path_; }

 private:
  void say_what_was_skipped(const JournalRecordView& record, std::uint64_t last_stored);
  std::uint16_t number_of(std::string_view name, const JournalRecordView& record);
  Status write_at_end(std::string_view head, std::string_view payload);

  std::string path_;
  std::shared_ptr<File> file_;
  std::uint64_t offset_{};
  NameTable names_;
  std::string head_;  ///< what stands before the payload of the record being written; reused
};

}  // namespace sluice::storage
