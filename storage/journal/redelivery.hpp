// Recognises a message that the transport delivers a second time.
//
// MQTT repeats an unacknowledged message with the DUP flag and the same packet id. If the first
// delivery is in the journal already, the second one is no news.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sluice::storage {

/// So much of the journal's end is read for it after a start, and kept for that.
inline constexpr std::uint64_t kRedeliveryTail = std::uint64_t{32} << 20U;

/// The newest journalled message of each packet id: a broker uses an id again only when its message
/// is acknowledged, so that one does not come once more under it. One thread at a time.
///
/// What it cannot tell: a message whose first delivery did not reach us, with the id, topic and
/// bytes of an earlier one that did.
class RedeliveryWindow {
 public:
  /// Packet ids, all of which a broker may have in flight.
  static constexpr std::size_t kSize = 65'535;

  struct Entry {
    std::uint64_t name{};  ///< hash of source and topic; never stored
    std::uint32_t payload_crc{};
    std::uint32_t payload_size{};
    std::uint16_t packet_id{};

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  static Entry entry(std::string_view source, std::string_view topic, std::uint16_t packet_id,
                     std::uint32_t payload_crc, std::size_t payload_size);

  void add(const Entry& entry);
  bool contains(const Entry& entry) const;

 private:
  std::vector<Entry> entries_;  ///< by packet id; empty before the first
};

}  // namespace sluice::storage
