// TypedKeySpace<K>: the keys of one type, found by an open-addressing table of (hash, index).
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "pipeline/base/errors.hpp"
#include "pipeline/base/null.hpp"
#include "pipeline/state/codec.hpp"
#include "pipeline/state/key_hash.hpp"
#include "pipeline/state/key_space.hpp"
#include "pipeline/state/key_text.hpp"

namespace sluice {

/// What may be a key: comparable, hashable, storable, and no enum, array or pointer, whose hashes
/// are not the same in every process (KS-03).
template <class K>
concept KeyType = Storable<K> && std::equality_comparable<K> && !std::is_enum_v<K> &&
                  !std::is_pointer_v<K> && !std::is_array_v<K> && detail::Hashable<K>;

namespace detail {

template <class K>
std::int32_t key_hash_code(const K& key) {
  if constexpr (requires { java_hash(key); }) {
    return java_hash(key);
  } else {
    // No Java twin: any hash that is the same in every process will do; the schema text is.
    return java_string_hash(Codec<K>::encode(key).to_text());
  }
}

template <KeyType K>
class TypedKeySpace final : public KeySpace {
 public:
  TypedKeySpace() : table_(kFirstSize) {}

  /// Makes `key` the current one. Null keys are refused (KS-07).
  void select(const K& key) {
    if (is_null(key)) throw InvalidArgument{"a key must not be null (KS-07)"};
    if (is_nan(key)) throw InvalidArgument{"a key must not be NaN, which equals nothing (KS-03)"};
    const std::size_t before = live_;
    set_current(find_or_insert(key));
    if (live_ > before) current_may_be_unused_ = true;
  }
  void prefetch(KeyIndex index) const override {
    if (capacity_ <= kPrefetchFrom) return;
    keys_.prefetch(index);
    prefetch_columns(index);
  }
  const K& key(KeyIndex index) const { return keys_[index].key; }

  Datum encode(KeyIndex index) const override { return Codec<K>::encode(keys_[index].key); }
  std::string schema() const override { return Codec<K>::schema(); }
  KeyIndex intern(const Datum& key) override { return find_or_insert(Codec<K>::decode(key)); }
  std::uint32_t rank(KeyIndex index) const override { return keys_[index].hash; }
  std::int32_t hash_code(KeyIndex index) const override { return key_hash_code(keys_[index].key); }
  std::size_t live() const { return live_; }

 private:
  struct Entry {
    K key{};
    std::uint32_t uses{};
    std::uint32_t hash{};
    bool live{};
    bool waits{};  ///< for a snapshot, after which it may be forgotten
  };
  struct Slot {
    std::uint32_t hash{};
    KeyIndex index{kNoKey};
  };
  static constexpr std::size_t kFirstSize = 64;
  /// Below this everything is in the cache anyway, and asking costs more than it gives.
  static constexpr std::size_t kPrefetchFrom = 16384;

  static std::uint32_t hash_of(const K& key) {
    // std::hash of an integer is the integer: spread it, or dense keys would cluster.
    const auto h = static_cast<std::uint64_t>(KeyHash<K>{}(key)) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::uint32_t>(h >> 32);
  }
  std::size_t mask() const { return table_.size() - 1; }

  KeyIndex find_or_insert(const K& key) {
    const std::uint32_t hash = hash_of(key);
    std::size_t at = hash & mask();
    for (; table_[at].index != kNoKey; at = (at + 1) & mask()) {
      const Slot& slot = table_[at];
      if (slot.hash != hash) continue;
      // The states' memory is fetched while the key is still being compared.
      if (capacity_ > kPrefetchFrom) prefetch_columns(slot.index);
      if (same_key(keys_[slot.index].key, key)) return slot.index;
    }
    return insert(key, hash, at);
  }

  KeyIndex insert(const K& key, std::uint32_t hash, std::size_t at) {
    if ((live_ + 1) * 3 > table_.size() * 2) {
      resize();
      at = free_slot(hash);
    }
    const KeyIndex index = take_index();
    keys_[index] = Entry{key, 0, hash, true, false};
    table_[at] = {hash, index};
    ++live_;
    return index;
  }

  KeyIndex take_index() {
    if (!free_.empty()) {
      const KeyIndex index = free_.back();
      free_.pop_back();
      return index;
    }
    const auto index = static_cast<KeyIndex>(capacity_);
    keys_.grow(capacity_ + 1);
    grow_columns(capacity_ + 1);
    return index;
  }

  std::size_t free_slot(std::uint32_t hash) const {
    std::size_t at = hash & mask();
    while (table_[at].index != kNoKey) at = (at + 1) & mask();
    return at;
  }

  void resize() {
    std::vector<Slot> old(table_.size() * 2);
    old.swap(table_);
    for (const Slot& slot : old) {
      if (slot.index != kNoKey) table_[free_slot(slot.hash)] = slot;
    }
  }

  std::uint32_t& uses_of(KeyIndex index) override { return keys_[index].uses; }
  bool& waits(KeyIndex index) override { return keys_[index].waits; }

  void forget(KeyIndex index) override {
    Entry& entry = keys_[index];
    if (!entry.live) return;
    std::size_t at = entry.hash & mask();
    while (table_[at].index != index) at = (at + 1) & mask();
    close_gap(at);
    entry = Entry{};
    free_.push_back(index);
    --live_;
  }

  /// Linear probing without tombstones: whatever probed past the gap moves into it.
  void close_gap(std::size_t gap) {
    for (std::size_t at = (gap + 1) & mask(); table_[at].index != kNoKey; at = (at + 1) & mask()) {
      const std::size_t home = table_[at].hash & mask();
      if (((at - home) & mask()) >= ((at - gap) & mask())) {
        table_[gap] = table_[at];
        gap = at;
      }
    }
    table_[gap] = Slot{};
  }

  std::vector<Slot> table_;
  PagedArray<Entry> keys_;
  std::size_t live_{0};
};

}  // namespace detail
}  // namespace sluice
