#include "storage/journal/redelivery.hpp"

#include <functional>

namespace sluice::storage {

RedeliveryWindow::Entry RedeliveryWindow::entry(std::string_view source, std::string_view topic,
                                                std::uint16_t packet_id, std::uint32_t payload_crc,
                                                std::size_t payload_size) {
  const std::hash<std::string_view> hash;
  return {hash(topic) * 31U + hash(source), payload_crc, static_cast<std::uint32_t>(payload_size),
          packet_id};
}

void RedeliveryWindow::add(const Entry& entry) {
  if (entry.packet_id == 0) return;  // what has none is never sent again
  if (entries_.empty()) entries_.resize(kSize + 1);
  entries_[entry.packet_id] = entry;
}

bool RedeliveryWindow::contains(const Entry& entry) const {
  return entry.packet_id != 0 && !entries_.empty() && entries_[entry.packet_id] == entry;
}

}  // namespace sluice::storage
