#include "storage/journal/segment_writer.hpp"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "storage/crc32c.hpp"
#include "storage/journal/marks.hpp"

namespace sluice::storage {
namespace {

char* without_const(const char* bytes) {
  return const_cast<char*>(bytes);  // NOLINT: iovec serves reading and writing alike
}

}  // namespace

Result<SegmentWriter> SegmentWriter::create(const std::string& path, const SegmentHeader& header,
                                            std::uint64_t reserve) {
  SegmentWriter writer;
  writer.path_ = path;
  auto file = File::open(path, O_RDWR | O_CREAT | O_EXCL);
  if (!file) return std::move(file).error();
  writer.file_ = std::make_shared<File>(std::move(*file));
  const int fd = writer.file_->fd();
#ifdef FALLOC_FL_KEEP_SIZE
  if (reserve > 0 && ::fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(reserve)) != 0) {
    // Part of it may have been granted: give that back, the rest of the disk may need it.
    if (::ftruncate(fd, 0) != 0) {
      Error error = system_error("reserve", path);
      ::unlink(path.c_str());
      return error;
    }
  }
#endif
  char head[kSegmentHeaderSize];
  encode_segment_header(header, head);
  if (auto status = writer.write_at_end({head, sizeof head}, {}); !status) {
    ::unlink(path.c_str());
    return std::move(status).error();
  }
  return writer;
}

Result<SegmentWriter> SegmentWriter::resume(const std::string& path, std::uint64_t offset,
                                            NameTable names) {
  SegmentWriter writer;
  writer.path_ = path;
  auto file = File::open(path, O_RDWR);
  if (!file) return std::move(file).error();
  writer.file_ = std::make_shared<File>(std::move(*file));
  writer.offset_ = offset;
  writer.names_ = std::move(names);
  return writer;
}

bool SegmentWriter::has_room(const JournalRecordView& record, std::uint64_t segment_bytes) const {
  if (offset_ == kSegmentHeaderSize) return true;
  const std::size_t names = record.source.size() + record.topic.size();
  return offset_ + kRecordHeaderSize + record.payload.size() <= segment_bytes &&
         names_.has_room(names);
}

std::uint16_t SegmentWriter::number_of(std::string_view name, const JournalRecordView& record) {
  if (name.empty()) return 0;
  if (const std::uint16_t known = names_.find(name); known != 0) return known;
  RawRecord definition;
  definition.sequence = record.sequence;
  definition.time = record.time;
  definition.kind = JournalKind::kTopic;
  definition.topic = names_.next_number();
  definition.payload = name;
  const std::size_t at = head_.size();
  head_.resize(at + kRecordHeaderSize);
  encode_record_header(definition, crc32c(name), head_.data() + at);
  head_.append(name);
  names_.define(name, definition.topic);
  return definition.topic;
}

void SegmentWriter::say_what_was_skipped(const JournalRecordView& record,
                                         std::uint64_t last_stored) {
  const std::string payload = encode_skipped(last_stored);
  RawRecord mark;
  mark.sequence = record.sequence;
  mark.time = record.time;
  mark.kind = JournalKind::kSkipped;
  mark.payload = payload;
  head_.resize(kRecordHeaderSize);
  encode_record_header(mark, crc32c(payload), head_.data());
  head_.append(payload);
}

Status SegmentWriter::append(const JournalRecordView& record, std::uint32_t payload_crc,
                             std::uint64_t last_stored) {
  head_.clear();
  if (record.sequence != last_stored + 1) say_what_was_skipped(record, last_stored);
  RawRecord raw;
  raw.source = number_of(record.source, record);
  raw.topic = number_of(record.topic, record);
  raw.sequence = record.sequence;
  raw.time = record.time;
  raw.kind = record.kind;
  raw.flags = record.flags;
  raw.packet_id = record.packet_id;
  raw.payload = record.payload;
  const std::size_t at = head_.size();
  head_.resize(at + kRecordHeaderSize);
  encode_record_header(raw, payload_crc, head_.data() + at);
  return write_at_end(head_, record.payload);
}

Status SegmentWriter::write_at_end(std::string_view head, std::string_view payload) {
  const std::size_t total = head.size() + payload.size();
  std::size_t done = 0;
  while (done < total) {
    iovec parts[2];
    int count = 0;
    if (done < head.size()) {
      parts[count++] = {without_const(head.data()) + done, head.size() - done};
    }
    const std::size_t skipped = done > head.size() ? done - head.size() : 0;
    if (skipped < payload.size()) {
      parts[count++] = {without_const(payload.data()) + skipped, payload.size() - skipped};
    }
    const ssize_t written =
        ::pwritev(file_->fd(), parts, count, static_cast<off_t>(offset_ + done));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      Error error = system_error("write", path_);
      // Where even this fails, the checksum tells readers that the record is none.
      if (::ftruncate(file_->fd(), static_cast<off_t>(offset_)) != 0) {
        error = std::move(error).with_context("and it could not be cut back");
      }
      return error;
    }
    done += static_cast<std::size_t>(written);
  }
  offset_ += total;
  return {};
}

void SegmentWriter::finish() noexcept {
  // Only a courtesy: what stays reserved is given back when the segment is dropped.
  if (::ftruncate(file_->fd(), static_cast<off_t>(offset_)) != 0) return;
}

}  // namespace sluice::storage
