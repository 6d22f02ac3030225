#include "daemon/repeat_limit.hpp"

#include <algorithm>
#include <utility>

namespace sluice::daemon {

std::optional<std::uint64_t> RepeatLimit::allow(std::string_view topic,
                                                std::chrono::milliseconds now) {
  auto found = topics_.find(topic);
  if (found == topics_.end()) {
    if (topics_.size() >= kMaxTopics) make_room();
    topics_.emplace(topic, Entry{now, 0});
    return 0;
  }
  Entry& entry = found->second;
  if (now - entry.last < kWindow) {
    ++entry.held_back;
    return std::nullopt;
  }
  entry.last = now;
  return std::exchange(entry.held_back, 0);
}

void RepeatLimit::make_room() {
  const auto oldest =
      std::min_element(topics_.begin(), topics_.end(),
                       [](const auto& a, const auto& b) { return a.second.last < b.second.last; });
  topics_.erase(oldest);
}

}  // namespace sluice::daemon
