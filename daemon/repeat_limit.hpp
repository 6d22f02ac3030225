// RepeatLimit: lets one line a minute through for each topic and counts the rest.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::daemon {

/// Not thread-safe; its owner locks.
class RepeatLimit {
 public:
  static constexpr std::chrono::milliseconds kWindow{60'000};
  /// Topics remembered at once: names of objects are part of them, so senders could invent more.
  static constexpr std::size_t kMaxTopics = 1000;

  /// The number of lines of this topic held back since the last one let through, if this one may
  /// go; nothing if it is held back.
  std::optional<std::uint64_t> allow(std::string_view topic, std::chrono::milliseconds now);

 private:
  struct Entry {
    std::chrono::milliseconds last{};
    std::uint64_t held_back{};
  };

  void make_room();

  std::map<std::string, Entry, std::less<>> topics_;
};

}  // namespace sluice::daemon
