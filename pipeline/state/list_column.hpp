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
template <Storable T>
class ListColumn final : public SlotColumn<SmallList<T>> {
 public:
  static constexpr StateKind kKind = StateKind::kList;
  using Base = SlotColumn<SmallList<T>>;
  using Base::Base;
  using Base::ttl;

  void grow(std::size_t slots) override {
    Base::grow(slots);
    if (ttl().enabled()) written_.grow(slots);
  }
  void prefetch(KeyIndex index) const override {
    Base::prefetch(index);
    if (ttl().enabled()) written_.prefetch(index);
  }
  void drop(KeyIndex index) override {
    if (ttl().enabled()) written_[index] = {};
    ++replacements_;
    Base::drop(index);
  }

  void add(std::span<const T> items) {
    this->clean_step();
    const KeyIndex index = this->keys().current();
    refuse_nulls(items);  // before anything is stored: LS-07 made atomic
    if (items.empty()) return;
    auto* list = this->find(index);
    if (list == nullptr) {
      this->store(index, {});
      list = this->find(index);
    }
    for (const T& item : items) list->push_back(item);
    if (ttl().enabled()) append_stamps(index, items.size());
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
    auto* list = this->find(index);
    if (list == nullptr) {
      this->store(index, {});
      list = this->find(index);
    }
    list->assign(items);
    if (ttl().enabled()) renew_stamps(index, items.size());
    ++replacements_;
    this->touch(index);
  }
  void clear() { this->drop(this->keys().current()); }

  std::uint32_t additions() const { return additions_; }
  std::uint32_t replacements() const { return replacements_; }

  /// With TTL: the elements that a read may see, after TTL-04, 07 and 11.
  SmallList<T> read_with_ttl(KeyIndex index) {
    SmallList<T> visible;
    const auto* list = this->find(index);
    if (list == nullptr) return visible;
    std::size_t alive = 0;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const bool gone = ttl().expired(written_[index][i]);
      if (!gone) ++alive;
      if (!gone || ttl().returns_expired()) visible.push_back((*list)[i]);
    }
    if (alive == 0) {
      drop(index);
    } else if (ttl().renews_on_read()) {
      keep_alive_only(index);
      renew_stamps(index, alive);
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
      written_[index].push_back(Codec<Timestamp>::decode(*written));
      this->note_stamp(written_[index][written_[index].size() - 1]);
    }
  }
  Timestamp purge(KeyIndex index) override {
    Timestamp oldest = kMaxTimestamp;
    std::size_t alive = 0;
    for (std::size_t i = 0; i < written_[index].size(); ++i) {
      if (ttl().expired(written_[index][i])) continue;
      oldest = std::min(oldest, written_[index][i]);
      ++alive;
    }
    if (alive == 0) {
      drop(index);
    } else if (alive != written_[index].size()) {
      keep_alive_only(index);
    }
    return oldest;
  }

 private:
  void refuse_nulls(std::span<const T> items) const {
    if constexpr (NullTraits<T>::kNullable) {
      if (std::any_of(items.begin(), items.end(), is_null<T>)) null_element(this->info().name);
    }
  }
  /// Takes out what has expired; the stamps of the others stay.
  void keep_alive_only(KeyIndex index) {
    auto& list = *this->find(index);
    auto& written = written_[index];
    SmallList<T> items;
    SmallList<Timestamp> stamps;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (ttl().expired(written[i])) continue;
      items.push_back(list[i]);
      stamps.push_back(written[i]);
    }
    list = std::move(items);
    written = std::move(stamps);
    ++replacements_;
    this->touch(index);
  }
  void append_stamps(KeyIndex index, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) written_[index].push_back(ttl().now());
    this->note_stamp(ttl().now());
  }
  void renew_stamps(KeyIndex index, std::size_t count) {
    written_[index].clear();
    append_stamps(index, count);
  }
  Datum encode_if(KeyIndex index, bool only_alive) const {
    const auto& list = *this->find(index);
    Datum::List items;
    for (std::size_t i = 0; i < list.size(); ++i) {
      Datum value = Codec<T>::encode(list[i]);
      if (!ttl().enabled()) {
        items.push_back(std::move(value));
      } else if (!only_alive || !ttl().expired(written_[index][i])) {
        items.push_back(
            Datum::Struct{{"value", std::move(value)}, {"written", Datum{written_[index][i]}}});
      }
    }
    return Datum{std::move(items)};
  }

  PagedArray<SmallList<Timestamp>> written_;
  std::uint32_t additions_{0};
  std::uint32_t replacements_{0};
};

}  // namespace sluice::detail
