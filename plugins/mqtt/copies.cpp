#include "plugins/mqtt/copies.hpp"

#include <functional>

namespace sluice::mqtt {

bool Copies::is_news(std::string_view topic, std::string_view payload, unsigned id, bool again) {
  const std::uint64_t bit = std::uint64_t{1} << id;
  const Seen now{std::hash<std::string_view>{}(topic), std::hash<std::string_view>{}(payload), bit,
                 bit};
  bool known = false;
  // Oldest first, so that copies pair up in the order they came.
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    Seen& then = seen_[(next_ + i) % seen_.size()];
    if (then.ids == 0 || then.topic != now.topic || then.payload != now.payload) continue;
    if ((then.ids & bit) != 0) {
      known = known || then.first != bit;
      continue;
    }
    then.ids |= bit;
    return false;
  }
  if (again && known) return false;
  seen_[next_] = now;
  next_ = (next_ + 1) % seen_.size();
  return true;
}

}  // namespace sluice::mqtt
