// What the journal holds: records in one order, which everything that follows is a function of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pipeline/base/time.hpp"

namespace sluice::storage {

/// Reaches disk: never renumber.
enum class JournalKind : std::uint8_t {
  kMessage = 1,    ///< bytes from outside
  kTopic = 2,      ///< a name gets its number; inside a segment only, never handed out
  kTick = 3,       ///< nothing but the time
  kDelivered = 4,  ///< publications the broker has: encode_delivered()
  kClockStep = 5,  ///< the wall clock was set: encode_clock_step()
  kSetAside = 6,   ///< one monitor skips one message: encode_set_aside()
  kHold = 7,       ///< timers are held back, or let go: encode_hold()
  kSkipped = 8,    ///< numbers were left out: encode_skipped(); likewise never handed out
};

/// Bits of `flags`. Reach disk: never renumber.
inline constexpr std::uint8_t kFlagDuplicate = 1;  ///< MQTT DUP
inline constexpr std::uint8_t kFlagRetained = 2;   ///< MQTT retain: an old message, not news
inline constexpr std::uint8_t kFlagCut = 4;        ///< too large: the payload is only its beginning

/// A record on its way; the views are valid during the call that hands it over.
struct JournalRecordView {
  std::uint64_t sequence{};
  Timestamp time{};  ///< wall clock, ms; never smaller than that of the record before
  JournalKind kind{};
  std::uint8_t flags{};
  std::uint16_t packet_id{};
  std::string_view source;
  std::string_view topic;
  std::string_view payload;
  bool stored{true};  ///< false: the disk did not take it, this is the only copy
};

/// The same, owning its bytes. Reuse one: its buffers stay.
struct JournalRecord {
  std::uint64_t sequence{};
  Timestamp time{};
  JournalKind kind{};
  std::uint8_t flags{};
  std::uint16_t packet_id{};
  bool stored{true};
  std::string source;
  std::string topic;
  std::string payload;

  void assign(const JournalRecordView& view) {
    sequence = view.sequence;
    time = view.time;
    kind = view.kind;
    flags = view.flags;
    packet_id = view.packet_id;
    stored = view.stored;
    source.assign(view.source);
    topic.assign(view.topic);
    payload.assign(view.payload);
  }
  bool duplicate() const { return (flags & kFlagDuplicate) != 0; }
  bool retained() const { return (flags & kFlagRetained) != 0; }
  bool cut() const { return (flags & kFlagCut) != 0; }
};

/// Hears of each record right after it was appended, in order of the sequence numbers.
class JournalListener {
 public:
  virtual ~JournalListener() = default;
  /// On the appending thread, under the journal's lock: be quick, do not call the journal.
  virtual void on_appended(const JournalRecordView& record) noexcept = 0;
};

}  // namespace sluice::storage
