// Numbers for the names (sources and topics) of one segment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sluice::storage {

/// Names that were defined in the current segment. Bounded: when full, a new segment starts.
class NameTable {
 public:
  /// Enough for any site, and all numbers stay below 65536.
  static constexpr std::size_t kMaxNames = 60000;
  static constexpr std::size_t kMaxBytes = std::size_t{4} << 20U;

  /// 0 = not defined yet.
  std::uint16_t find(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::uint16_t{0} : found->second;
  }

  std::uint16_t next_number() const { return static_cast<std::uint16_t>(next_); }

  void define(std::string_view name, std::uint16_t number) {
    if (numbers_.emplace(name, number).second) bytes_ += name.size();
    if (number >= next_) next_ = number + 1U;
  }

  /// Whether two more names may come. An empty table takes any.
  bool has_room(std::size_t more_bytes) const {
    return numbers_.empty() || (next_ + 1U < kMaxNames && bytes_ + more_bytes <= kMaxBytes);
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>{}(name);
    }
  };

  std::unordered_map<std::string, std::uint16_t, Hash, std::equal_to<>> numbers_;
  std::uint32_t next_{1};
  std::size_t bytes_{};
};

}  // namespace sluice::storage
