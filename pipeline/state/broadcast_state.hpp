// Broadcast state: a map that every instance of an operator has a copy of, written on the broadcast
// side only. Semantics: BC-01..18. Iterates in order of K (BC-06 leaves it open).
#pragma once

#include <map>
#include <set>
#include <string>

#include "pipeline/base/errors.hpp"
#include "pipeline/base/null.hpp"
#include "pipeline/state/codec.hpp"
#include "pipeline/state/operator_state_table.hpp"

namespace sluice {

/// Names a broadcast state; looked up by name and type (BC-04). A TTL has no meaning here (TTL-23).
template <Storable K, Storable V>
struct BroadcastStateDescriptor {
  std::string name;
};

namespace detail {

template <Storable K, Storable V>
class BroadcastTable final : public OperatorStateTable {
 public:
  explicit BroadcastTable(const std::string& name)
      : OperatorStateTable{StateInfo{name, StateKind::kBroadcast, Codec<K>::schema(),
                                     Codec<V>::schema(), false}} {}

  const std::map<K, V>& entries() const { return entries_; }
  void put(const K& key, const V& value) {
    if (is_nan(key)) throw InvalidArgument{"a key of a broadcast state must not be NaN (KS-03)"};
    entries_.insert_or_assign(key, value);
    changed_.insert(key);
  }
  void remove(const K& key) {
    if (entries_.erase(key) != 0) changed_.insert(key);
  }
  void clear() {
    for (const auto& [key, value] : entries_) changed_.insert(key);
    entries_.clear();
  }

  void write(SnapshotWriter& writer, bool full) override {
    if (full || !changed_.empty()) writer.begin_state(info(), full);
    if (full) {
      for (const auto& [key, value] : entries_) {
        writer.put(Codec<K>::encode(key), Codec<V>::encode(value));
      }
    } else {
      for (const auto& key : changed_) write_change(writer, key);
    }
    changed_.clear();
  }
  void restore_row(const Datum& key, const Datum& value) override {
    entries_.insert_or_assign(Codec<K>::decode(key), Codec<V>::decode(value));
  }

 private:
  void write_change(SnapshotWriter& writer, const K& key) const {
    const auto it = entries_.find(key);
    if (it == entries_.end()) {
      writer.erase(Codec<K>::encode(key));
    } else {
      writer.put(Codec<K>::encode(key), Codec<V>::encode(it->second));
    }
  }

  std::map<K, V> entries_;
  std::set<K> changed_;
};

}  // namespace detail

/// What the main side and timers see. There is no way to write through it (BC-05, BC-08).
template <Storable K, Storable V>
class ReadOnlyBroadcastState {
 public:
  explicit ReadOnlyBroadcastState(const detail::BroadcastTable<K, V>& table) : table_{&table} {}

  Read<V> get(const K& key) const {
    const auto it = table_->entries().find(key);
    if (it == table_->entries().end()) return std::nullopt;
    return it->second;
  }
  /// The value without copying it, or nullptr; valid until the next broadcast element.
  const V* find(const K& key) const {
    const auto it = table_->entries().find(key);
    return it == table_->entries().end() ? nullptr : &it->second;
  }
  bool contains(const K& key) const { return table_->entries().contains(key); }
  /// All of it, in the order of the keys; valid until the next broadcast element.
  const std::map<K, V>& entries() const { return table_->entries(); }

 private:
  const detail::BroadcastTable<K, V>* table_;
};

/// What the broadcast side writes. Changes are seen by all later calls on this instance (BC-01).
template <Storable K, Storable V>
class BroadcastState : public ReadOnlyBroadcastState<K, V> {
 public:
  explicit BroadcastState(detail::BroadcastTable<K, V>& table)
      : ReadOnlyBroadcastState<K, V>{table}, table_{&table} {}

  void put(const K& key, const V& value) { table_->put(key, value); }
  void put_all(const std::map<K, V>& values) {
    for (const auto& [key, value] : values) table_->put(key, value);
  }
  void remove(const K& key) { table_->remove(key); }
  void clear() { table_->clear(); }

 private:
  detail::BroadcastTable<K, V>* table_;
};

}  // namespace sluice
