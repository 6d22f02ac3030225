// BroadcastProcessFunction and KeyedBroadcastProcessFunction: a main input, and a second one that
// goes to every instance and alone may write broadcast state. Semantics: BC-01..18.
#pragma once

#include <functional>

#include "pipeline/functions/collector.hpp"
#include "pipeline/functions/contexts.hpp"
#include "pipeline/functions/rich_function.hpp"
#include "pipeline/state/broadcast_state.hpp"

namespace sluice {

/// The main side's context: broadcast state can be read only.
template <class Base>
class BroadcastReader : public Base {
 public:
  using Base::Base;
  /// Throws IllegalState for a state that was not given to broadcast() (BC-04).
  template <Storable K, Storable V>
  ReadOnlyBroadcastState<K, V> broadcast_state(const BroadcastStateDescriptor<K, V>& d) const;
  Timestamp current_watermark() const;
  Timestamp current_processing_time() const;
};

/// The broadcast side's context. Keyed state cannot be used here (BC-11), except through
/// apply_to_keyed_state of a keyed function.
class BroadcastWriter : public FunctionContext {
 public:
  using FunctionContext::FunctionContext;
  template <Storable K, Storable V>
  BroadcastState<K, V> broadcast_state(const BroadcastStateDescriptor<K, V>& d);
  Timestamp current_watermark() const;
  Timestamp current_processing_time() const;
};

/// The broadcast side's context of a keyed function.
template <class K>
class KeyedBroadcastWriter : public BroadcastWriter {
 public:
  using BroadcastWriter::BroadcastWriter;
  /// Calls `f(key, state)` once for every key of this instance that has an entry in the keyed state
  /// of that descriptor; f may read, update and clear it (BC-12).
  template <class Descriptor, class F>
  void apply_to_keyed_state(const Descriptor& descriptor, F f);
};

template <class In, class B, class Out>
class BroadcastProcessFunction : public RichFunction {
 public:
  using Input = In;
  using BroadcastInput = B;
  using Result = Out;
  using ReadOnlyContext = BroadcastReader<FunctionContext>;
  using Context = BroadcastWriter;

  virtual void process_element(const In& value, ReadOnlyContext& context, Collector<Out>& out) = 0;
  virtual void process_broadcast_element(const B& value, Context& context, Collector<Out>& out) = 0;
};

template <class K, class In, class B, class Out>
class KeyedBroadcastProcessFunction : public RichFunction {
 public:
  using Key = K;
  using Input = In;
  using BroadcastInput = B;
  using Result = Out;
  using ReadOnlyContext = BroadcastReader<KeyedContext<K>>;
  using OnTimerContext = TimerContext<BroadcastReader<KeyedContext<K>>>;
  using Context = KeyedBroadcastWriter<K>;

  virtual void process_element(const In& value, ReadOnlyContext& context, Collector<Out>& out) = 0;
  virtual void process_broadcast_element(const B& value, Context& context, Collector<Out>& out) = 0;
  /// Reads the broadcast state of firing time (BC-14).
  virtual void on_timer(Timestamp, OnTimerContext&, Collector<Out>&) {}
};

}  // namespace sluice
