// Sets of timers. Engine thread only.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/state/paged_array.hpp"
#include "pipeline/timers/timer.hpp"

namespace sluice::detail {

/// An open-addressing set.
class TimerSet {
 public:
  TimerSet() : slots_(kFirstSize) {}
  /// False if it was there already.
  bool insert(const Timer& timer);
  /// False if it was not there.
  bool erase(const Timer& timer);
  bool contains(const Timer& timer) const { return slots_[find(timer)].key != kNoKey; }
  std::size_t size() const { return size_; }
  /// Unordered.
  std::vector<Timer> all() const;

 private:
  static constexpr std::size_t kFirstSize = 16;
  static std::size_t hash(const Timer& timer);
  std::size_t mask() const { return slots_.size() - 1; }
  /// The slot of the timer, or the free slot where it would go.
  std::size_t find(const Timer& timer) const;
  void resize();

  std::vector<Timer> slots_;  // a free slot has key kNoKey
  std::size_t size_{0};
};

/// The same calls for many timers of which most are the only one of their key: that one is in an
/// array by key, without hashing.
class PendingTimers {
 public:
  bool insert(const Timer& timer);
  bool erase(const Timer& timer);
  bool contains(const Timer& timer) const;
  std::size_t size() const { return size_; }
  std::vector<Timer> all() const;
  /// How many timers the key has.
  std::size_t count(KeyIndex key) const {
    return by_key_[key].others + (by_key_[key].armed ? 1U : 0U);
  }
  void prefetch(KeyIndex key) const {
    if (key < by_key_.size()) by_key_.prefetch(key);
  }

 private:
  /// One timer of a key, and how many there are besides.
  struct OfKey {
    Timestamp at{};
    bool armed{false};
    std::uint32_t others{0};
    bool is(const Timer& timer) const { return armed && at == timer.at; }
  };

  PagedArray<OfKey> by_key_;
  TimerSet others_;
  std::size_t size_{0};
};

}  // namespace sluice::detail
