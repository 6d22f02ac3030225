// Operator state: state of an operator instance as a whole, without keys. Semantics: OS-01..11.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline/base/errors.hpp"
#include "pipeline/base/null.hpp"
#include "pipeline/state/broadcast_state.hpp"
#include "pipeline/state/codec.hpp"
#include "pipeline/state/operator_state_table.hpp"
#include "pipeline/state/unopened.hpp"

namespace sluice {

namespace detail {

[[noreturn]] void null_list_element();

template <Storable T>
class OperatorListTable final : public OperatorStateTable {
 public:
  OperatorListTable(const std::string& name, StateKind kind)
      : OperatorStateTable{StateInfo{name, kind, "", Codec<T>::schema(), false}} {}

  const std::vector<T>& items() const { return items_; }
  void add(const T& value) {
    if (is_null(value)) null_list_element();
    items_.push_back(value);
    changed_ = true;
  }
  void replace(std::vector<T> values) {
    for (const auto& value : values) {
      if (is_null(value)) null_list_element();  // before anything changes, unlike OS-08
    }
    items_ = std::move(values);
    changed_ = true;
  }

  void write(SnapshotWriter& writer, bool full) override {
    if (!full && !changed_) return;
    // A list is written whole: its positions shift.
    writer.begin_state(info(), true);
    std::int64_t position = 0;
    for (const auto& item : items_) writer.put(Datum{position++}, Codec<T>::encode(item));
    changed_ = false;
  }
  void restore_row(const Datum&, const Datum& value) override {
    items_.push_back(Codec<T>::decode(value));
    // What is stored for this instance is its own share; from now on it has everybody's (OS-04).
    if (info().kind == StateKind::kUnionList) changed_ = true;
  }

 private:
  std::vector<T> items_;
  bool changed_{false};
};

}  // namespace detail

/// A list that is redistributed when the number of instances changes (OS-04, OS-05).
template <Storable T>
class OperatorListState {
 public:
  OperatorListState() = default;
  explicit OperatorListState(detail::OperatorListTable<T>* table) : table_{table} {}

  /// Valid until the next change.
  const std::vector<T>& get() const { return table().items(); }
  /// Whoever adds a null gets an exception, and nothing is stored (OS-08).
  void add(const T& value) { table().add(value); }
  void add_all(const std::vector<T>& values) {
    auto all = table().items();
    all.insert(all.end(), values.begin(), values.end());
    table().replace(std::move(all));
  }
  void update(std::vector<T> values) { table().replace(std::move(values)); }
  void clear() { table().replace({}); }

 private:
  detail::OperatorListTable<T>& table() const {
    if (table_ == nullptr) detail::unopened_handle();
    return *table_;
  }

  detail::OperatorListTable<T>* table_{};
};

/// All operator state of one instance, by name.
class OperatorStateStore {
 public:
  explicit OperatorStateStore(std::string uid) : uid_{std::move(uid)} {}

  /// Each instance gets its share of the elements when their number changes (OS-05, OS-06).
  template <Storable T>
  OperatorListState<T> list_state(const std::string& name) {
    return OperatorListState<T>{&list<T>(name, StateKind::kSplitList)};
  }
  /// Each instance gets all elements at every restore, also at an unchanged number (OS-04).
  template <Storable T>
  OperatorListState<T> union_list_state(const std::string& name) {
    return OperatorListState<T>{&list<T>(name, StateKind::kUnionList)};
  }
  template <Storable K, Storable V>
  BroadcastState<K, V> broadcast_state(const BroadcastStateDescriptor<K, V>& descriptor) {
    using Table = detail::BroadcastTable<K, V>;
    return BroadcastState<K, V>{get<Table>(descriptor.name, StateKind::kBroadcast, [&] {
      return std::make_unique<Table>(descriptor.name);
    })};
  }

  // --- for operators ---
  /// Rows that this instance gets, kept until a state of that name is asked for (CP-09).
  void add_restored(StateSnapshot state);
  void write(SnapshotWriter& writer, bool full);
  /// nullptr if no state of that name exists.
  detail::OperatorStateTable* find(const std::string& name) const;

 private:
  template <Storable T>
  detail::OperatorListTable<T>& list(const std::string& name, StateKind kind) {
    return get<detail::OperatorListTable<T>>(
        name, kind, [&] { return std::make_unique<detail::OperatorListTable<T>>(name, kind); });
  }
  template <class Table, class Make>
  Table& get(const std::string& name, StateKind kind, Make make) {
    detail::OperatorStateTable* known = find(name);
    if (name.empty()) without_name(kind);
    if (known == nullptr) known = &adopt(make());
    auto* table = dynamic_cast<Table*>(known);
    // A split list cannot be got as a union list (OS-09).
    if (table == nullptr || known->info().kind != kind) other_kind(*known, kind);
    return *table;
  }
  [[noreturn]] void without_name(StateKind wanted) const;
  [[noreturn]] void other_kind(const detail::OperatorStateTable& known, StateKind wanted) const;
  detail::OperatorStateTable& adopt(std::unique_ptr<detail::OperatorStateTable> table);

  std::string uid_;
  std::vector<std::unique_ptr<detail::OperatorStateTable>> tables_;
  std::vector<StateSnapshot> restored_;
};

}  // namespace sluice
