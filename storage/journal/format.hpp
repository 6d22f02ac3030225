// The bytes of a segment file: its header, and the header of each record.
//
// docs/journal-format.md is the description for people; the golden file in tests/golden/journal
// keeps both honest. Pure functions over buffers; all numbers are little-endian.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pipeline/base/time.hpp"
#include "storage/journal/record.hpp"

namespace sluice::storage {

inline constexpr std::uint32_t kJournalVersion = 1;
inline constexpr std::size_t kSegmentHeaderSize = 32;
inline constexpr std::size_t kRecordHeaderSize = 32;
/// No payload is longer; MQTT's own limit is 256 MiB.
inline constexpr std::size_t kMaxPayload = std::size_t{300} << 20U;

struct SegmentHeader {
  std::uint32_t version{kJournalVersion};
  std::uint64_t first_sequence{};  ///< no record in this segment has a smaller one
  Timestamp created{};             ///< time of the first record
};

/// Writes kSegmentHeaderSize bytes.
void encode_segment_header(const SegmentHeader& header, char* to);

enum class HeaderCheck { kSound, kZero, kForeign, kNewer };

/// `bytes` is the beginning of a file. kZero: nothing was ever written there. kNewer: ours, but of
/// a version that this program does not know (`header.version` says which).
HeaderCheck decode_segment_header(std::string_view bytes, SegmentHeader& header);

/// A record as it lies in a segment: names by number.
struct RawRecord {
  std::uint64_t sequence{};
  Timestamp time{};
  JournalKind kind{};
  std::uint8_t flags{};
  std::uint16_t source{};  ///< number of the source's name; 0 = none
  std::uint16_t topic{};   ///< number of the topic's name; 0 = none
  std::uint16_t packet_id{};
  std::string_view payload;

  std::size_t size() const { return kRecordHeaderSize + payload.size(); }
};

/// Writes kRecordHeaderSize bytes; `payload_crc` is crc32c(record.payload).
void encode_record_header(const RawRecord& record, std::uint32_t payload_crc, char* to);

enum class RecordCheck {
  kSound,
  kIncomplete,  ///< more bytes are needed: `needed` says how many from the record's start
  kZero,        ///< only zeros here: never written
  kDamaged,     ///< the checksum or the length is wrong
};

/// Looks at the record at the start of `bytes`; on kSound `record.payload` points into `bytes`.
RecordCheck decode_record(std::string_view bytes, RawRecord& record, std::size_t& needed,
                          std::uint32_t& payload_crc);

/// Whether nothing but zeros is there.
bool all_zero(std::string_view bytes);

}  // namespace sluice::storage
