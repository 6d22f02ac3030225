// MapState<K, V>: a map for each key. Semantics: MS-01..10, TTL-12. Iterates in order of K.
#pragma once

#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "pipeline/base/errors.hpp"
#include "pipeline/state/map_column.hpp"
#include "pipeline/state/unopened.hpp"

namespace sluice {

template <Storable K, Storable V>
struct MapStateDescriptor {
  std::string name;
  std::optional<TtlConfig> ttl{};
};

/// Walks the map of the key that was current when it was made:
///   for (auto cursor = map.cursor(); cursor.next();) { cursor.key(); cursor.value(); … }
/// remove() and set_value() write through (MS-07; with TTL set_value changes nothing, TTL-12).
/// Putting a new key or removing one behind its back makes next() throw (MS-10).
template <Storable K, Storable V>
class MapCursor {
 public:
  MapCursor(detail::MapColumn<K, V>* column, detail::KeyIndex index)
      : column_{column}, index_{index}, changes_{column->changes_of_keys()} {
    column_->hold(true);
  }
  MapCursor(const MapCursor&) = delete;
  MapCursor& operator=(const MapCursor&) = delete;
  ~MapCursor() { column_->hold(false); }

  /// Steps to the next entry that may be seen; false at the end.
  bool next() {
    check();
    auto* entries = column_->entries_of(index_);
    if (entries == nullptr) return false;
    if (!started_) next_ = entries->begin();
    started_ = true;
    while (next_ != entries->end()) {
      at_ = next_++;
      taken_ = {};
      if (!column_->gone(at_->second)) {
        column_->renew_on_read(index_, at_);
        return true;
      }
      take();  // expired: gone once it was seen (TTL-07)
      if (column_->ttl().returns_expired()) return true;
    }
    return false;
  }
  const K& key() const { return taken_ ? taken_.key() : at_->first; }
  const V& value() const { return taken_ ? taken_.mapped().first : at_->second.first; }
  void set_value(V value) {
    if (taken_ || column_->ttl().enabled()) return;
    column_->assign_through_cursor(index_, at_, std::move(value));
  }
  /// key() and value() stay what they were until next().
  void remove() {
    if (!taken_) take();
  }

 private:
  using Entries = typename detail::MapColumn<K, V>::Entries;

  void check() const {
    if (column_->changes_of_keys() != changes_) {
      throw ConcurrentModification{"keys of a map state changed while it was iterated (MS-10)"};
    }
  }
  void take() {
    taken_ = column_->take_through_cursor(index_, at_);
    changes_ = column_->changes_of_keys();
  }

  detail::MapColumn<K, V>* column_;
  detail::KeyIndex index_;
  std::uint32_t changes_;
  typename Entries::iterator at_{};
  typename Entries::iterator next_{};
  typename Entries::node_type taken_;  ///< the entry at hand, if it is out of the map already
  bool started_{false};
};

/// A range over a cursor, for range-for; `Get` picks the key, the value or both.
template <Storable K, Storable V, class Get>
class MapRange {
 public:
  MapRange(detail::MapColumn<K, V>* column, detail::KeyIndex index) : cursor_{column, index} {}

  class Iterator {
   public:
    explicit Iterator(MapCursor<K, V>* cursor) : cursor_{cursor}, more_{cursor->next()} {}
    decltype(auto) operator*() const { return Get{}(*cursor_); }
    Iterator& operator++() {
      more_ = cursor_->next();
      return *this;
    }
    bool operator==(std::default_sentinel_t) const { return !more_; }

   private:
    MapCursor<K, V>* cursor_;
    bool more_;
  };

  Iterator begin() { return Iterator{&cursor_}; }
  std::default_sentinel_t end() const { return {}; }

 private:
  MapCursor<K, V> cursor_;
};

/// A handle: see ValueState.
template <Storable K, Storable V>
class MapState {
 public:
  MapState() : MapState{detail::unopened<detail::MapColumn<K, V>>()} {}
  explicit MapState(detail::MapColumn<K, V>* column) : column_{column} {}

  /// Nothing if absent; contains() tells a null value from an absent one (MS-01).
  Read<V> get(const K& key) const { return column_->get(key); }
  bool contains(const K& key) const { return column_->contains(key); }
  /// Null values are stored (MS-03).
  void put(const K& key, const V& value) { column_->put(key, value); }
  void put_all(const std::map<K, V>& values) {
    for (const auto& [key, value] : values) column_->put(key, value);
  }
  /// Of an absent key: does nothing (MS-05).
  void remove(const K& key) { column_->remove(key); }
  bool is_empty() const { return column_->is_empty(); }
  void clear() { column_->clear(); }

  MapCursor<K, V> cursor() const { return {access(), column_->keys().current()}; }

 private:
  struct GetKey {
    const K& operator()(const MapCursor<K, V>& c) const { return c.key(); }
  };
  struct GetValue {
    const V& operator()(const MapCursor<K, V>& c) const { return c.value(); }
  };
  struct GetBoth {
    std::pair<const K&, const V&> operator()(const MapCursor<K, V>& c) const {
      return {c.key(), c.value()};
    }
  };
  detail::MapColumn<K, V>* access() const {
    column_->clean_step();
    return column_;
  }

 public:
  /// Each of these is iterated once, and not kept beyond the call that made it.
  MapRange<K, V, GetKey> keys() const { return {access(), column_->keys().current()}; }
  MapRange<K, V, GetValue> values() const { return {access(), column_->keys().current()}; }
  MapRange<K, V, GetBoth> entries() const { return {access(), column_->keys().current()}; }

 private:
  detail::MapColumn<K, V>* column_;
};

}  // namespace sluice
