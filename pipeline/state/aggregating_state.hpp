// AggregatingState<In, Out>: an accumulator for each key, fed with In and read as Out. AS-01..05.
#pragma once

#include <concepts>
#include <optional>
#include <string>

#include "pipeline/base/null.hpp"
#include "pipeline/state/slot_column.hpp"
#include "pipeline/state/unopened.hpp"

namespace sluice {

/// How to aggregate: `Input`, `Accumulator` and `Result` types, and pure functions over them.
/// merge() is called for merging windows only (AS-04).
template <class A>
concept AggregateFunction = Storable<typename A::Accumulator> &&
    requires(const A& a, const typename A::Input& in, typename A::Accumulator& acc,
             const typename A::Accumulator& other) {
  { a.create_accumulator() } -> std::same_as<typename A::Accumulator>;
  {a.add(in, acc)};
  { a.get_result(other) } -> std::convertible_to<typename A::Result>;
};

template <AggregateFunction A>
struct AggregatingStateDescriptor {
  std::string name;
  A function{};
  std::optional<TtlConfig> ttl{};
};

namespace detail {

/// What a handle sees: In and Out, not the accumulator.
template <class In, class Out>
class Aggregating {
 public:
  virtual ~Aggregating() = default;
  virtual Read<Out> get() = 0;
  virtual void add(const In& value) = 0;
  virtual void clear_current() = 0;
};

template <class In, class Out>
class UnopenedAggregating final : public Aggregating<In, Out> {
 public:
  static Aggregating<In, Out>* instance() {
    static UnopenedAggregating made;
    return &made;
  }
  Read<Out> get() override { unopened_handle(); }
  void add(const In&) override { unopened_handle(); }
  void clear_current() override { unopened_handle(); }
};

template <AggregateFunction A>
class AggregatingColumn final : public Aggregating<typename A::Input, typename A::Result>,
                                public SingleColumn<typename A::Accumulator> {
 public:
  static constexpr StateKind kKind = StateKind::kAggregating;
  using Accumulator = typename A::Accumulator;

  AggregatingColumn(StateInfo info, KeySpace& keys, const TtlPolicy& ttl, A function)
      : SingleColumn<Accumulator>{std::move(info), keys, ttl}, function_{std::move(function)} {}

  Read<typename A::Result> get() override {
    this->clean_step();
    const auto accumulator = this->read(this->keys().current());
    if (!accumulator) return std::nullopt;  // not the result of an empty accumulator: AS-02
    return function_.get_result(*accumulator);
  }
  void add(const typename A::Input& value) override {
    this->clean_step();
    const KeyIndex index = this->keys().current();
    if (is_null(value)) {
      this->drop(index);  // AS-03
      return;
    }
    const Accumulator* stored = this->find_to_build_upon(index);
    // On a copy: a throwing add leaves the old accumulator (AS-05).
    Accumulator next = stored != nullptr ? *stored : function_.create_accumulator();
    function_.add(value, next);
    this->store(index, std::move(next));
  }
  void clear_current() override { this->drop(this->keys().current()); }

 private:
  A function_;
};

}  // namespace detail

/// A handle: see ValueState.
template <class In, class Out>
class AggregatingState {
 public:
  AggregatingState() : AggregatingState{detail::UnopenedAggregating<In, Out>::instance()} {}
  explicit AggregatingState(detail::Aggregating<In, Out>* column) : column_{column} {}

  Read<Out> get() const { return column_->get(); }
  void add(const In& value) { column_->add(value); }
  void clear() { column_->clear_current(); }

 private:
  detail::Aggregating<In, Out>* column_;
};

}  // namespace sluice
