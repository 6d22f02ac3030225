#include "storage/journal/format.hpp"

#include <algorithm>

#include "storage/bytes.hpp"
#include "storage/crc32c.hpp"

namespace sluice::storage {
namespace {

constexpr std::string_view kMagic = "SLUICEJ\n";

// The checksum lies in the middle of what it covers: before it the magic and the version.
std::uint32_t segment_header_crc(const char* bytes) {
  return crc32c_extend(crc32c({bytes, 12}), {bytes + 16, 16});
}

// Payload first, so that one pass gives the payload's own checksum as well; then the length, then
// all that follows the checksum in the header.
std::uint32_t record_crc(const char* header, std::uint32_t payload_crc) {
  return crc32c_extend(crc32c_extend(payload_crc, {header, 4}), {header + 8, 24});
}

}  // namespace

void encode_segment_header(const SegmentHeader& header, char* to) {
  std::copy(kMagic.begin(), kMagic.end(), to);
  store_u32(to + 8, header.version);
  store_u64(to + 16, header.first_sequence);
  store_i64(to + 24, header.created);
  store_u32(to + 12, segment_header_crc(to));
}

HeaderCheck decode_segment_header(std::string_view bytes, SegmentHeader& header) {
  if (all_zero(bytes.substr(0, kSegmentHeaderSize))) return HeaderCheck::kZero;
  if (bytes.size() < kSegmentHeaderSize || !bytes.starts_with(kMagic) ||
      load_u32(bytes.data() + 12) != segment_header_crc(bytes.data())) {
    return HeaderCheck::kForeign;
  }
  header.version = load_u32(bytes.data() + 8);
  header.first_sequence = load_u64(bytes.data() + 16);
  header.created = load_i64(bytes.data() + 24);
  return header.version == kJournalVersion ? HeaderCheck::kSound : HeaderCheck::kNewer;
}

void encode_record_header(const RawRecord& record, std::uint32_t payload_crc, char* to) {
  store_u32(to, static_cast<std::uint32_t>(record.payload.size()));
  store_u64(to + 8, record.sequence);
  store_i64(to + 16, record.time);
  to[24] = static_cast<char>(record.kind);
  to[25] = static_cast<char>(record.flags);
  store_u16(to + 26, record.source);
  store_u16(to + 28, record.topic);
  store_u16(to + 30, record.packet_id);
  store_u32(to + 4, record_crc(to, payload_crc));
}

RecordCheck decode_record(std::string_view bytes, RawRecord& record, std::size_t& needed,
                          std::uint32_t& payload_crc) {
  needed = kRecordHeaderSize;
  if (bytes.size() < kRecordHeaderSize) return RecordCheck::kIncomplete;
  const char* header = bytes.data();
  if (all_zero(bytes.substr(0, kRecordHeaderSize))) return RecordCheck::kZero;
  const std::size_t length = load_u32(header);
  if (length > kMaxPayload) return RecordCheck::kDamaged;
  needed = kRecordHeaderSize + length;
  if (bytes.size() < needed) return RecordCheck::kIncomplete;
  record.payload = bytes.substr(kRecordHeaderSize, length);
  payload_crc = crc32c(record.payload);
  if (load_u32(header + 4) != record_crc(header, payload_crc)) return RecordCheck::kDamaged;
  record.sequence = load_u64(header + 8);
  record.time = load_i64(header + 16);
  record.kind = static_cast<JournalKind>(static_cast<std::uint8_t>(header[24]));
  record.flags = static_cast<std::uint8_t>(header[25]);
  record.source = load_u16(header + 26);
  record.topic = load_u16(header + 28);
  record.packet_id = load_u16(header + 30);
  return RecordCheck::kSound;
}

bool all_zero(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == '\0'; });
}

}  // namespace sluice::storage
