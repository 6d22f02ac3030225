// KeyedBackend: all keyed state of one operator instance: its keys, its columns by name, and what
// was restored but not yet claimed by a descriptor. Engine thread only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/base/errors.hpp"
#include "pipeline/state/aggregating_state.hpp"
#include "pipeline/state/key_space.hpp"
#include "pipeline/state/list_state.hpp"
#include "pipeline/state/map_state.hpp"
#include "pipeline/state/reducing_state.hpp"
#include "pipeline/state/snapshot.hpp"
#include "pipeline/state/value_state.hpp"

namespace sluice::detail {

/// Which keys of a snapshot belong to this instance (KS-08).
struct KeyOwnership {
  std::uint32_t subtask{0};
  std::uint32_t parallelism{1};
  std::uint32_t max_parallelism{128};

  bool owns(std::int32_t hash_code) const;
};

class KeyedBackend {
 public:
  /// `now` is the clock of TTLs; both references outlive the backend.
  KeyedBackend(std::string uid, KeySpace& keys, const Timestamp& now, KeyOwnership ownership)
      : uid_{std::move(uid)}, keys_{keys}, now_{now}, ownership_{ownership} {}

  /// Keeps a restored state until a descriptor of its name claims it; never claimed, it is carried
  /// along from snapshot to snapshot (CP-09). Several subtasks' parts of one state are merged.
  /// `state` is copied only if it is not claimed before keep_unclaimed(); till then it must stay.
  void add_restored(const StateSnapshot& state);
  void keep_unclaimed();

  template <Storable T>
  ValueState<T> state(const ValueStateDescriptor<T>& d) {
    return ValueState<T>{
        &column<ValueColumn<T>>(d.name, Codec<T>::schema(), d.ttl, d.default_value)};
  }
  template <Storable T>
  ListState<T> state(const ListStateDescriptor<T>& d) {
    return ListState<T>{&column<ListColumn<T>>(d.name, Codec<T>::schema(), d.ttl)};
  }
  template <Storable K, Storable V>
  MapState<K, V> state(const MapStateDescriptor<K, V>& d) {
    return MapState<K, V>{&column<MapColumn<K, V>>(d.name, Codec<std::map<K, V>>::schema(), d.ttl)};
  }
  template <Storable T>
  ReducingState<T> state(const ReducingStateDescriptor<T>& d) {
    if (!d.reduce) throw InvalidArgument{"reducing state '" + d.name + "' has no function"};
    return ReducingState<T>{
        &column<ReducingColumn<T>>(d.name, Codec<T>::schema(), d.ttl, d.reduce)};
  }
  template <AggregateFunction A>
  AggregatingState<typename A::Input, typename A::Result> state(
      const AggregatingStateDescriptor<A>& d) {
    return AggregatingState<typename A::Input, typename A::Result>{&column<AggregatingColumn<A>>(
        d.name, Codec<typename A::Accumulator>::schema(), d.ttl, d.function)};
  }

  /// Whether a stored key belongs to this instance.
  bool owns(const Datum& key);

  /// The column of a state that exists already, or nullptr.
  StateColumn* find(const std::string& name) const;

  /// After each change of the current key (TTL-16).
  void key_changed() {
    for (auto* column : every_record_) column->clean_step();
  }

  void write(SnapshotWriter& writer, bool full);
  /// Stored keyed entries of all states, expired and unclaimed ones (CP-09) included.
  std::size_t entries() const;

 private:
  template <class Column, class... Args>
  Column& column(const std::string& name, std::string value_type,
                 const std::optional<TtlConfig>& ttl, Args&&... args) {
    if (StateColumn* known = find(name)) {
      // A second descriptor of a name gets the first one's state (KS-06).
      auto* same = dynamic_cast<Column*>(known);
      if (same == nullptr) {
        other_kind(*known, std::string{to_string(Column::kKind)} + " of " + value_type);
      }
      return *same;
    }
    if (name.empty()) without_name();
    const TtlPolicy policy{ttl.value_or(TtlConfig{.update = TtlConfig::Update::kDisabled}), &now_};
    StateInfo info{name, Column::kKind, keys_.schema(), std::move(value_type), policy.enabled()};
    auto made =
        std::make_unique<Column>(std::move(info), keys_, policy, std::forward<Args>(args)...);
    auto& result = *made;
    adopt(std::move(made));
    return result;
  }

  [[noreturn]] void without_name() const;
  [[noreturn]] void other_kind(const StateColumn& known, const std::string& wanted) const;
  /// A restored state that no descriptor has claimed: its rows, in snapshots of others or here.
  struct Unclaimed {
    StateInfo info;
    std::vector<const StateSnapshot*> parts;
    std::vector<std::pair<Datum, Datum>> rows;
  };

  /// Calls f(key, value) for each row that belongs to this instance.
  template <class F>
  void for_each_own(const Unclaimed& state, F f);
  void adopt(std::unique_ptr<StateColumn> column);
  void claim_restored(StateColumn& column);
  void check_restored(const StateInfo& stored, const StateInfo& current) const;

  std::string uid_;
  KeySpace& keys_;
  const Timestamp& now_;
  KeyOwnership ownership_;
  std::vector<std::unique_ptr<StateColumn>> columns_;
  std::vector<StateColumn*> every_record_;
  std::map<std::string, Unclaimed> restored_;
};

}  // namespace sluice::detail
