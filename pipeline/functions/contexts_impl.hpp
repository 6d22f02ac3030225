// The bodies of context templates, which need the operator behind them. Included by operator.hpp.
#pragma once

#include "pipeline/functions/broadcast_process_functions.hpp"
#include "pipeline/operators/operator.hpp"
#include "pipeline/state/typed_key_space.hpp"

namespace sluice {

template <class T>
void FunctionContext::output(const OutputTag<T>& tag, const T& value) {
  operator_->emit_side(tag, value);
}

template <class K, class Base>
const K& KeyedContext<K, Base>::current_key() const {
  auto& keys = static_cast<detail::TypedKeySpace<K>&>(*this->op().keys());
  return keys.key(keys.current());
}

template <class Base>
TimeDomain TimerContext<Base>::time_domain() const {
  return this->op().call_domain();
}

namespace detail {
template <Storable K, Storable V>
BroadcastTable<K, V>& broadcast_table(Operator& op, const std::string& name) {
  auto* table = dynamic_cast<BroadcastTable<K, V>*>(op.operator_state().find(name));
  if (table == nullptr) {
    throw InvalidArgument{"there is no broadcast state '" + name +
                          "' of this type: name it in broadcast() (BC-04)"};
  }
  return *table;
}
}  // namespace detail

template <class Base>
template <Storable K, Storable V>
ReadOnlyBroadcastState<K, V> BroadcastReader<Base>::broadcast_state(
    const BroadcastStateDescriptor<K, V>& d) const {
  return ReadOnlyBroadcastState<K, V>{detail::broadcast_table<K, V>(this->op(), d.name)};
}
template <class Base>
Timestamp BroadcastReader<Base>::current_watermark() const {
  return this->op().current_watermark();
}
template <class Base>
Timestamp BroadcastReader<Base>::current_processing_time() const {
  return this->op().now();
}

template <Storable K, Storable V>
BroadcastState<K, V> BroadcastWriter::broadcast_state(const BroadcastStateDescriptor<K, V>& d) {
  return BroadcastState<K, V>{detail::broadcast_table<K, V>(op(), d.name)};
}

template <class K>
template <class Descriptor, class F>
void KeyedBroadcastWriter<K>::apply_to_keyed_state(const Descriptor& descriptor, F f) {
  auto& backend = *this->op().keyed();
  auto& keys = static_cast<detail::TypedKeySpace<K>&>(*this->op().keys());
  auto state = backend.state(descriptor);
  const auto* column = backend.find(descriptor.name);
  // The keys are fixed first, and held: f may clear entries, and the clean-up that it sets off may
  // take those of keys whose turn is yet to come.
  struct Visited {
    detail::KeySpace& keys;
    std::vector<detail::KeyIndex> indexes{};
    void add(detail::KeyIndex index) {
      indexes.push_back(index);
      keys.retain(index);
    }
    // Also if f throws: the broadcast side has no key afterwards (BC-11).
    ~Visited() {
      keys.set_current(detail::kNoKey);
      for (const auto index : indexes) keys.release(index);
    }
  } visited{keys};
  for (detail::KeyIndex i = 0; i < keys.capacity(); ++i) {
    if (column->present(i)) visited.add(i);
  }
  keys.sort(visited.indexes);
  for (const auto index : visited.indexes) {
    keys.set_current(index);
    backend.key_changed();
    f(keys.key(index), state);
  }
}

}  // namespace sluice
