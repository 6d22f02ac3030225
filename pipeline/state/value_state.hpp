// ValueState<T>: one value for each key. Semantics: VS-01..04, TTL-*.
#pragma once

#include <optional>
#include <string>

#include "pipeline/base/null.hpp"
#include "pipeline/state/slot_column.hpp"
#include "pipeline/state/unopened.hpp"

namespace sluice {

template <Storable T>
struct ValueStateDescriptor {
  std::string name;
  std::optional<TtlConfig> ttl{};
  /// What value() gives while the state is absent; never stored by reading (VS-04), and ignored
  /// where there is a TTL (TTL-18).
  std::optional<T> default_value{};
};

namespace detail {

template <Storable T>
class ValueColumn final : public SingleColumn<T> {
 public:
  static constexpr StateKind kKind = StateKind::kValue;

  ValueColumn(StateInfo info, KeySpace& keys, const TtlPolicy& ttl, std::optional<T> fallback)
      : SingleColumn<T>{std::move(info), keys, ttl},
        fallback_{ttl.enabled() ? std::nullopt : std::move(fallback)} {}

  Read<T> get() {
    this->clean_step();  // before the access: TTL-08
    auto value = this->read(this->keys().current());
    if (value) return std::move(*value);
    if (fallback_) return *fallback_;
    return std::nullopt;
  }
  void set(const T& value) {
    this->clean_step();
    const KeyIndex index = this->keys().current();
    is_null(value) ? this->drop(index) : this->store(index, value);
  }
  void clear() {
    this->clean_step();
    this->drop(this->keys().current());
  }

 private:
  std::optional<T> fallback_;
};

}  // namespace detail

/// A handle: cheap to copy, valid as long as its operator lives. All calls are about the current
/// key and throw IllegalState where there is none (KS-04), as all calls of a handle do that no
/// RuntimeContext gave.
template <Storable T>
class ValueState {
 public:
  ValueState() : ValueState{detail::unopened<detail::ValueColumn<T>>(std::nullopt)} {}
  explicit ValueState(detail::ValueColumn<T>* column) : column_{column} {}

  /// The value, or nothing if absent or expired.
  Read<T> value() const { return column_->get(); }
  /// A null value clears (VS-02).
  void update(const T& value) { column_->set(value); }
  void clear() { column_->clear(); }

 private:
  detail::ValueColumn<T>* column_;
};

}  // namespace sluice
