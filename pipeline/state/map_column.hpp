// MapColumn<K, V>: the column behind MapState (map_state.hpp has the contract).
//
// Entries are kept in key order: iteration then gives the same order before and after a restore,
// which the engine's promise of identical replays needs (Flink leaves the order open, MS-08).
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "pipeline/base/errors.hpp"
#include "pipeline/base/null.hpp"
#include "pipeline/state/slot_column.hpp"

namespace sluice::detail {

/// On disk: a list of [key, value], or of [key, value, written] where there is a TTL.
template <Storable K, Storable V>
class MapColumn final : public SlotColumn<std::unique_ptr<std::map<K, std::pair<V, Timestamp>>>> {
 public:
  static constexpr StateKind kKind = StateKind::kMap;
  /// A value and its write stamp (0 without TTL).
  using Entry = std::pair<V, Timestamp>;
  using Entries = std::map<K, Entry>;
  using Base = SlotColumn<std::unique_ptr<Entries>>;
  using Base::Base;
  using Base::ttl;

  void drop(KeyIndex index) override {
    ++changes_of_keys_;
    Base::drop(index);
  }

  Read<V> get(const K& key) {
    this->clean_step();
    const KeyIndex index = this->keys().current();
    auto* entries = this->entries_of(index);
    if (entries == nullptr) return std::nullopt;
    const auto it = entries->find(key);
    if (it == entries->end() || !visible(index, it)) return std::nullopt;
    Read<V> value{it->second.first};
    if (gone(it->second)) erase(index, it);
    return value;
  }
  bool contains(const K& key) {
    this->clean_step();
    const KeyIndex index = this->keys().current();
    auto* entries = this->entries_of(index);
    if (entries == nullptr) return false;
    const auto it = entries->find(key);
    if (it == entries->end() || !visible(index, it)) return false;
    if (gone(it->second)) erase(index, it);
    return true;
  }
  void put(const K& key, const V& value) {
    // It has no place in the order of the others, which they would lose too.
    if (is_nan(key)) throw InvalidArgument{"a key of a map state must not be NaN (KS-03)"};
    this->clean_step();
    const KeyIndex index = this->keys().current();
    auto* entries = this->entries_of(index);
    if (entries == nullptr) {
      this->store(index, std::make_unique<Entries>());
      entries = this->entries_of(index);
    }
    const bool added = entries->insert_or_assign(key, Entry{value, now()}).second;
    if (ttl().enabled()) this->note_stamp(now());
    if (added) ++changes_of_keys_;
    this->touch(index);
  }
  void remove(const K& key) {
    this->clean_step();
    const KeyIndex index = this->keys().current();
    auto* entries = this->entries_of(index);
    if (entries == nullptr) return;
    const auto it = entries->find(key);
    if (it != entries->end()) {
      entries->erase(it);
      ++changes_of_keys_;
      this->touch(index);
    }
    if (entries->empty()) drop(index);  // MS-06
  }
  /// Looks at no stamps (TTL-12).
  bool is_empty() {
    this->clean_step();
    const auto* entries = this->entries_of(this->keys().current());
    return entries == nullptr || entries->empty();
  }
  void clear() { drop(this->keys().current()); }

  // --- for MapCursor ---
  Entries* entries_of(KeyIndex index) {
    auto* slot = this->find(index);
    return slot == nullptr ? nullptr : slot->get();
  }
  std::uint32_t changes_of_keys() const { return changes_of_keys_; }
  void hold(bool on) { this->hold_clean_up(on); }
  bool gone(const Entry& entry) const { return ttl().enabled() && ttl().expired(entry.second); }
  void renew_on_read(KeyIndex index, typename Entries::iterator it) {
    if (!ttl().enabled() || !ttl().renews_on_read()) return;
    it->second.second = ttl().now();
    this->touch(index);
  }
  /// Leaves an empty map behind if it was the last entry, as Flink's iterators do (MS-06).
  typename Entries::node_type take_through_cursor(KeyIndex index, typename Entries::iterator it) {
    ++changes_of_keys_;
    this->touch(index);
    return entries_of(index)->extract(it);
  }
  void assign_through_cursor(KeyIndex index, typename Entries::iterator it, V value) {
    it->second.first = std::move(value);
    this->touch(index);
  }

 protected:
  Datum encode(KeyIndex index) const override { return encode_if(index, false); }
  Datum encode_alive(KeyIndex index) const override {
    Datum datum = encode_if(index, true);
    return datum.get_if<Datum::List>()->empty() ? Datum{} : datum;
  }
  void decode(KeyIndex index, const Datum& datum) override {
    auto& entries = *this->put_back(index, std::make_unique<Entries>());
    for (const Datum& item : expect<Datum::List>(datum, "a list of entries")) {
      const auto& parts = expect<Datum::List>(item, "an entry");
      if (parts.size() != (ttl().enabled() ? 3U : 2U)) bad_datum("an entry", item);
      const Timestamp written = ttl().enabled() ? Codec<Timestamp>::decode(parts[2]) : 0;
      this->note_stamp(written);
      entries.insert_or_assign(Codec<K>::decode(parts[0]),
                               Entry{Codec<V>::decode(parts[1]), written});
    }
  }
  Timestamp purge(KeyIndex index) override {
    auto& entries = *entries_of(index);
    const auto removed = std::erase_if(entries, [this](const auto& e) { return gone(e.second); });
    Timestamp oldest = kMaxTimestamp;
    for (const auto& [key, entry] : entries) oldest = std::min(oldest, entry.second);
    if (removed == 0) return oldest;
    ++changes_of_keys_;
    this->touch(index);
    if (entries.empty()) drop(index);
    return oldest;
  }

 private:
  /// TTL's rules for one entry that a read found: false if it must not be seen (then it is gone
  /// already); renews it if reads do. An expired one that may be seen once is left to the caller.
  bool visible(KeyIndex index, typename Entries::iterator it) {
    if (gone(it->second)) {
      if (ttl().returns_expired()) return true;
      erase(index, it);
      return false;
    }
    renew_on_read(index, it);
    return true;
  }
  void erase(KeyIndex index, typename Entries::iterator it) {
    entries_of(index)->erase(it);
    ++changes_of_keys_;
    this->touch(index);
    if (entries_of(index)->empty()) drop(index);
  }
  Timestamp now() const { return ttl().enabled() ? ttl().now() : 0; }
  Datum encode_if(KeyIndex index, bool only_alive) const {
    Datum::List items;
    for (const auto& [key, entry] : **this->find(index)) {
      if (only_alive && gone(entry)) continue;
      Datum::List parts{Codec<K>::encode(key), Codec<V>::encode(entry.first)};
      if (ttl().enabled()) parts.emplace_back(entry.second);
      items.emplace_back(std::move(parts));
    }
    return Datum{std::move(items)};
  }

  std::uint32_t changes_of_keys_{0};
};

}  // namespace sluice::detail
