#include "storage/journal/redelivery.hpp"

#include <algorithm>
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
  if (entries_.size() < kSize) {
    entries_.push_back(entry);
    return;
  }
  entries_[next_] = entry;
  next_ = (next_ + 1) % kSize;
}

bool RedeliveryWindow::contains(const Entry& entry) const {
  return std::find(entries_.begin(), entries_.end(), entry) != entries_.end();
}

}  // namespace sluice::storage
