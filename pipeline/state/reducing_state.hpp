// ReducingState<T>: all that was added, folded into one value of the same type. RS-01..03, TTL-*.
#pragma once

#include <functional>
#include <string>

#include "pipeline/base/null.hpp"
#include "pipeline/state/slot_column.hpp"
#include "pipeline/state/unopened.hpp"

namespace sluice {

template <Storable T>
struct ReducingStateDescriptor {
  std::string name;
  /// reduce(stored, added); pure, must not keep references (RS-01).
  std::function<T(const T&, const T&)> reduce;
  std::optional<TtlConfig> ttl{};
};

namespace detail {

template <Storable T>
class ReducingColumn final : public SingleColumn<T> {
 public:
  static constexpr StateKind kKind = StateKind::kReducing;

  ReducingColumn(StateInfo info, KeySpace& keys, const TtlPolicy& ttl,
                 std::function<T(const T&, const T&)> reduce)
      : SingleColumn<T>{std::move(info), keys, ttl}, reduce_{std::move(reduce)} {}

  Read<T> get() {
    this->clean_step();
    auto value = this->read(this->keys().current());
    if (value) return std::move(*value);
    return std::nullopt;
  }
  void add(const T& value) {
    this->clean_step();
    const KeyIndex index = this->keys().current();
    if (is_null(value)) {
      add_null(index, value);
      return;
    }
    const T* stored = this->find_to_build_upon(index);
    // Computed before anything is stored: a throwing reduce leaves the old value (AS-05).
    this->store(index, stored == nullptr || is_null(*stored) ? value : reduce_(*stored, value));
  }
  void clear() { this->drop(this->keys().current()); }

 private:
  // Without TTL null clears (RS-03); with TTL it only renews, or stores a null (TTL-10).
  void add_null(KeyIndex index, const T& null) {
    if (!this->ttl().enabled()) {
      this->drop(index);
    } else if (this->find_to_build_upon(index) != nullptr) {
      this->renew(index);
    } else {
      this->store(index, null);
    }
  }

  std::function<T(const T&, const T&)> reduce_;
};

}  // namespace detail

/// A handle: see ValueState.
template <Storable T>
class ReducingState {
 public:
  ReducingState() : ReducingState{detail::unopened<detail::ReducingColumn<T>>(nullptr)} {}
  explicit ReducingState(detail::ReducingColumn<T>* column) : column_{column} {}

  Read<T> get() const { return column_->get(); }
  void add(const T& value) { column_->add(value); }
  void clear() { column_->clear(); }

 private:
  detail::ReducingColumn<T>* column_;
};

}  // namespace sluice
