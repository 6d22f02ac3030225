// ListColumn<T>: the column behind ListState (list_state.hpp has the contract).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "pipeline/base/null.hpp"
#include "pipeline/state/slot_column.hpp"
#include "pipeline/state/small_list.hpp"

namespace sluice::detail {

[[noreturn]] void null_element(const std::string& state);

/// On disk: a list of values, or of {"value": …, "written": ms} where there is a TTL.
///
/// Elements that were written together have one stamp, in the slot; only where they were not, as a
/// flag says, each has its own in `stamps_`.
template <Storable T>
class ListColumn final : public SlotColumn<SmallList<T>> {
 public:
  static constexpr StateKind kKind = StateKind::kList;
  using Base = SlotColumn<SmallList<T>>;
  using Base::Base;
  using Base::ttl;

  void grow(std::size_t slots) override {
    Base::grow(slots);
    if (ttl().enabled()) stamps_.grow(slots);
  }
  void drop(KeyIndex index) override {
    if (has_own_stamps(index)) share_stamp(index);
    note_replacement(index);
    Base::drop(index);
  }

  void add(std::span<const T> items) {
    this->clean_step();
    const KeyIndex index = this->keys().current();
    refuse_nulls(items);  // before anything is stored: LS-07 made atomic
    if (items.empty()) return;
    auto* list = this->find(index);
    if (list == nullptr) list = begin_list(index);
    if (ttl().enabled()) stamp_added(index, list->size(), items.size());
    for (const T& item : items) list->push_back(item);
    ++additions_;
    this->touch(index);
  }
  void replace(std::span<const T> items) {
    this->clean_step();
    const KeyIndex index = this->keys().current();
    refuse_nulls(items);
    if (items.empty()) {
      this->drop(index);  // LS-05
      return;
    }
    auto& slot = this->slot(index);
    if ((slot.flags & Base::kPresent) == 0) begin_list(index);
    slot.value.assign(items);
    if (ttl().enabled()) {
      if ((slot.flags & kOwnStamps) != 0) share_stamp(index);
      this->put_stamp(index, slot, ttl().now());
    }
    ++replacements_;
    this->mark_changed(index, slot.flags);
  }
  void clear() { this->drop(this->keys().current()); }

  std::uint32_t additions() const { return additions_; }
  std::uint32_t replacements() const { return replacements_; }

  /// Whether a read sees the list as it is stored: all of it is alive, and the read renews nothing.
  bool read_as_it_is(KeyIndex index) const {
    if (!ttl().enabled() || !this->present(index)) return true;
    if (ttl().renews_on_read()) return false;
    return has_own_stamps(index) ? all_alive(index) : !ttl().expired(this->stamp(index));
  }
  /// With TTL: the elements that a read may see, after TTL-04, 07 and 11.
  SmallList<T> read_with_ttl(KeyIndex index) {
    SmallList<T> visible;
    const auto* list = this->find(index);
    if (list == nullptr) return visible;
    std::size_t alive = 0;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const bool gone = ttl().expired(stamp_of(index, i));
      if (!gone) ++alive;
      if (!gone || ttl().returns_expired()) visible.push_back((*list)[i]);
    }
    if (alive == 0) {
      drop(index);
    } else if (ttl().renews_on_read()) {
      keep_alive_only(index, alive);
      stamp_all(index);
      this->touch(index);
    }
    return visible;
  }

 protected:
  Datum encode(KeyIndex index) const override { return encode_if(index, false); }
  Datum encode_alive(KeyIndex index) const override {
    Datum datum = encode_if(index, true);
    return datum.get_if<Datum::List>()->empty() ? Datum{} : datum;
  }
  void decode(KeyIndex index, const Datum& datum) override {
    auto& list = this->put_back(index, {});
    for (const Datum& item : expect<Datum::List>(datum, "a list")) {
      if (!ttl().enabled()) {
        list.push_back(Codec<T>::decode(item));
        continue;
      }
      const Datum* value = item.member("value");
      const Datum* written = item.member("written");
      if (value == nullptr || written == nullptr) bad_datum("a value with its write time", item);
      list.push_back(Codec<T>::decode(*value));
      this->flags(index) |= kOwnStamps;
      stamps_[index].push_back(Codec<Timestamp>::decode(*written));
      this->note_stamp(stamps_[index][stamps_[index].size() - 1]);
    }
  }
  Timestamp purge(KeyIndex index) override {
    const std::size_t size = this->find(index)->size();
    Timestamp oldest = kMaxTimestamp;
    std::size_t alive = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (ttl().expired(stamp_of(index, i))) continue;
      oldest = std::min(oldest, stamp_of(index, i));
      ++alive;
    }
    if (alive == 0) {
      drop(index);
    } else if (alive != size) {
      keep_alive_only(index, alive);
    }
    return oldest;
  }

 private:
  void refuse_nulls(std::span<const T> items) const {
    if constexpr (NullTraits<T>::kNullable) {
      if (std::any_of(items.begin(), items.end(), is_null<T>)) null_element(this->info().name);
    }
  }
  static constexpr typename Base::Flags kOwnStamps = 4;

  SmallList<T>* begin_list(KeyIndex index) {
    this->store(index, {});
    return this->find(index);
  }
  bool all_alive(KeyIndex index) const {
    for (std::size_t i = 0; i < this->find(index)->size(); ++i) {
      if (ttl().expired(stamps_[index][i])) return false;
    }
    return true;
  }
  /// The clean-up also changes lists of other keys, whose readers are long gone; it must not end
  /// the iteration of this key's.
  void note_replacement(KeyIndex index) {
    if (this->keys().is_current(index)) ++replacements_;
  }
  bool has_own_stamps(KeyIndex index) const { return (this->flags(index) & kOwnStamps) != 0; }
  Timestamp stamp_of(KeyIndex index, std::size_t i) const {
    return has_own_stamps(index) ? stamps_[index][i] : this->stamp(index);
  }
  void share_stamp(KeyIndex index) {
    stamps_[index] = {};
    this->flags(index) &= ~kOwnStamps;
  }
  void stamp_all(KeyIndex index) {
    if (has_own_stamps(index)) share_stamp(index);
    this->set_stamp(index, ttl().now());
  }
  /// `count` elements are going to join `before` others.
  void stamp_added(KeyIndex index, std::size_t before, std::size_t count) {
    const Timestamp now = ttl().now();
    if (before == 0) return stamp_all(index);
    if (!has_own_stamps(index)) {
      if (this->stamp(index) == now) return;
      for (std::size_t i = 0; i < before; ++i) stamps_[index].push_back(this->stamp(index));
      this->flags(index) |= kOwnStamps;
    }
    for (std::size_t i = 0; i < count; ++i) stamps_[index].push_back(now);
    this->note_stamp(now);
  }
  /// Takes out what has expired; the stamps of the others stay.
  void keep_alive_only(KeyIndex index, std::size_t alive) {
    auto& list = *this->find(index);
    if (alive == list.size()) return;
    SmallList<T> items;
    SmallList<Timestamp> stamps;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (ttl().expired(stamp_of(index, i))) continue;
      items.push_back(list[i]);
      stamps.push_back(stamp_of(index, i));
    }
    list = std::move(items);
    if (has_own_stamps(index)) stamps_[index] = std::move(stamps);
    note_replacement(index);
    this->touch(index);
  }
  Datum encode_if(KeyIndex index, bool only_alive) const {
    const auto& list = *this->find(index);
    Datum::List items;
    for (std::size_t i = 0; i < list.size(); ++i) {
      Datum value = Codec<T>::encode(list[i]);
      if (!ttl().enabled()) {
        items.push_back(std::move(value));
      } else if (!only_alive || !ttl().expired(stamp_of(index, i))) {
        items.push_back(
            Datum::Struct{{"value", std::move(value)}, {"written", Datum{stamp_of(index, i)}}});
      }
    }
    return Datum{std::move(items)};
  }

  PagedArray<SmallList<Timestamp>> stamps_;
  std::uint32_t additions_{0};
  std::uint32_t replacements_{0};
};

}  // namespace sluice::detail
