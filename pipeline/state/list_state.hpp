// ListState<T>: a list for each key, in order, with duplicates. Semantics: LS-01..08, TTL-11.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/base/errors.hpp"
#include "pipeline/state/list_column.hpp"
#include "pipeline/state/unopened.hpp"

namespace sluice {

template <Storable T>
struct ListStateDescriptor {
  std::string name;
  std::optional<TtlConfig> ttl{};
};

/// What ListState::get() gives: the elements, without copying them. It is live: a later add() shows
/// in it (LS-08). Adding while iterating throws ConcurrentModification; replacing or clearing the
/// list ends the iteration. With a TTL it is a copy where reads renew, or some elements have
/// expired. Valid during the call that got it; not to be kept.
template <Storable T>
class ListView {
 public:
  class Iterator {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    Iterator(const ListView* view, std::size_t at)
        : view_{view},
          at_{at},
          additions_{view->additions()},
          replacements_{view->replacements()} {}
    const T& operator*() const { return (*view_)[at_]; }
    Iterator& operator++() {
      if (view_->additions() != additions_) {
        throw ConcurrentModification{"a list state was added to while it was iterated (LS-08)"};
      }
      ++at_;
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const {
      return view_->replacements() != replacements_ || at_ >= view_->size();
    }

   private:
    const ListView* view_;
    std::size_t at_;
    std::uint32_t additions_;
    std::uint32_t replacements_;
  };

  ListView(const detail::ListColumn<T>* column, detail::KeyIndex index)
      : place_{column->place(index)}, column_{place_.get() != nullptr ? column : nullptr} {}
  explicit ListView(detail::SmallList<T> items) : items_{std::move(items)} {}

  std::size_t size() const {
    if (column_ == nullptr) return items_.size();
    const auto* list = place_.get();
    return list == nullptr ? 0 : list->size();
  }
  bool empty() const { return size() == 0; }
  const T& operator[](std::size_t i) const {
    return column_ == nullptr ? items_[i] : (*place_.get())[i];
  }
  Iterator begin() const { return Iterator{this, 0}; }
  std::default_sentinel_t end() const { return {}; }
  std::vector<T> to_vector() const {
    std::vector<T> copy;
    for (const T& item : *this) copy.push_back(item);
    return copy;
  }

 private:
  std::uint32_t additions() const { return column_ == nullptr ? 0 : column_->additions(); }
  std::uint32_t replacements() const { return column_ == nullptr ? 0 : column_->replacements(); }

  typename detail::ListColumn<T>::Place place_{};
  const detail::ListColumn<T>* column_{};
  detail::SmallList<T> items_;
};

/// A handle: see ValueState. Null elements are refused (LS-02, LS-04), and then nothing is stored.
template <Storable T>
class ListState {
 public:
  ListState() : ListState{detail::unopened<detail::ListColumn<T>>()} {}
  explicit ListState(detail::ListColumn<T>* column) : column_{column} {}

  /// Never null: an absent list is an empty one (LS-01).
  [[gnu::always_inline]] ListView<T> get() const {
    column_->clean_step();
    const auto index = column_->keys().current();
    return column_->read_as_it_is(index) ? ListView<T>{column_, index} : read_alive(index);
  }
  void add(const T& value) { column_->add(std::span{&value, 1}); }
  /// Adding nothing does nothing (LS-03).
  void add_all(std::span<const T> values) { column_->add(values); }
  /// Replaces the list; an empty one clears (LS-05). `values` is copied.
  void update(std::span<const T> values) { column_->replace(values); }
  void clear() { column_->clear(); }

 private:
  ListView<T> read_alive(detail::KeyIndex index) const {
    return ListView<T>{column_->read_with_ttl(index)};
  }

  detail::ListColumn<T>* column_;
};

}  // namespace sluice
