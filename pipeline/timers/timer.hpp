// A timer: a key and the time it fires at; and the order in which timers fire.
#pragma once

#include "pipeline/base/time.hpp"
#include "pipeline/state/key_space.hpp"

namespace sluice::detail {

struct Timer {
  Timestamp at{};
  KeyIndex key{kNoKey};
  std::uint32_t rank{0};  ///< KeySpace::rank() of the key, which queues fill in

  friend bool operator==(const Timer& a, const Timer& b) { return a.at == b.at && a.key == b.key; }
};

/// The order of firing: by time, and among equal times (where Flink leaves it open, TM-07) by rank,
/// then by key. An index would not do: a restore gives indexes anew, and what follows would depend
/// on whether there was one.
class FiringOrder {
 public:
  /// `keys` outlives the order.
  explicit FiringOrder(const KeySpace& keys) : keys_{&keys} {}

  bool operator()(const Timer& a, const Timer& b) const {
    if (a.at == b.at && a.rank == b.rank) [[unlikely]]
      return a.key != b.key && keys_->before(a.key, b.key);
    // The same as a.at != b.at ? … : …, but without a branch.
    return (static_cast<int>(a.at < b.at) |
            (static_cast<int>(a.at == b.at) & static_cast<int>(a.rank < b.rank))) != 0;
  }

 private:
  const KeySpace* keys_;
};

}  // namespace sluice::detail
