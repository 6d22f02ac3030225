// Stream<T>: a stream without key. stream.hpp is the header to include.
#pragma once

#include <concepts>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "pipeline/graph/environment.hpp"
#include "pipeline/graph/job.hpp"
#include "pipeline/graph/stream_base.hpp"
#include "pipeline/operators/broadcast_operators.hpp"
#include "pipeline/operators/process_operators.hpp"
#include "pipeline/operators/simple_operators.hpp"
#include "pipeline/operators/watermark_operator.hpp"

namespace sluice {

template <class K, class T>
class KeyedStream;
template <class T>
class BroadcastStream;
template <class A, class B>
class ConnectedStreams;
template <class A, class B>
class BroadcastConnectedStream;

template <class T>
class Stream : public detail::StreamBase<T> {
 public:
  using detail::StreamBase<T>::StreamBase;

  /// Identity of the operator's state, over restarts and new versions of the job (CP-07).
  /// Mandatory for operators that may hold state.
  Stream uid(std::string uid) const {
    this->node().uid = std::move(uid);
    return *this;
  }
  /// For people: graphs and messages. Throws UnsupportedOperation for a source, whose name is what
  /// it is fed by.
  Stream name(std::string name) const {
    if (this->node().is_source) {
      throw UnsupportedOperation{"the source '" + this->node().name +
                                 "' is fed by its name: name it in from_source()"};
    }
    this->node().name = std::move(name);
    return *this;
  }
  Stream set_parallelism(std::uint32_t parallelism) const {
    this->node().parallelism = parallelism;
    return *this;
  }

  /// `f(value)` for each element.
  template <class F>
  requires std::invocable<F&, const T&>
  auto map(F f) const {
    using Out = std::decay_t<std::invoke_result_t<F&, const T&>>;
    return this->template simple<detail::CallableMap<T, Out, F>>("map", false, std::move(f));
  }
  template <class F>
  requires std::predicate<F&, const T&> Stream<T> filter(F f)
  const {
    return this->template simple<detail::CallableFilter<T, F>>("filter", false, std::move(f));
  }
  /// `f(value, collector)` for each element; name the result: flat_map<Out>(f).
  template <class Out, class F>
  requires std::invocable < F&, const T&, Collector<Out>
  & > Stream<Out> flat_map(F f) const {
    return this->template simple<detail::CallableFlatMap<T, Out, F>>("flat_map", false,
                                                                     std::move(f));
  }
  /// A MapFunction, FilterFunction or FlatMapFunction of one's own, which may keep operator state.
  template <class Function, class... Args>
  Stream<typename Function::Result> apply(Args... args) const {
    return this->template simple<Function>(
        "apply", std::is_base_of_v<CheckpointedFunction, Function>, std::move(args)...);
  }

  /// A ProcessFunction made from `args`.
  template <class Function, class... Args>
  Stream<typename Function::Result> process(Args... args) const {
    static_assert(std::is_base_of_v<ProcessFunction<T, typename Function::Result>, Function>,
                  "a stream without key takes a ProcessFunction<T, Out>; put key_by() before a "
                  "KeyedProcessFunction");
    using Op = detail::ProcessOperator<Function>;
    auto node = this->new_node("process", true);
    node.make = [args = std::make_tuple(std::move(args)...)] {
      return std::make_unique<Op>(detail::make_function<Function>(args));
    };
    node.inputs.push_back(detail::one_input<T>(this->forward_edge()));
    return this->template add<typename Function::Result, Op>(std::move(node));
  }

  /// Event time from here on; upstream watermarks end here (WM-08).
  Stream<T> assign_timestamps_and_watermarks(WatermarkStrategy<T> strategy) const {
    using Op = detail::WatermarkOperator<T>;
    auto node = this->new_node("watermarks", false);
    node.make = [strategy = std::move(strategy)] { return std::make_unique<Op>(strategy); };
    node.inputs.push_back(detail::one_input<T>(this->forward_edge()));
    return this->template add<T, Op>(std::move(node));
  }

  /// Elements of one key meet in one place. `projection` is what std::invoke takes: a pointer to
  /// member or a callable; its result must be a KeyType: a text, a number, a pair, a tuple or a
  /// struct of them, but no enum, array or pointer (KS-03). It must be a pure function.
  template <class Projection>
  auto key_by(Projection projection) const {
    using K = std::decay_t<std::invoke_result_t<Projection&, const T&>>;
    static_assert(!std::is_enum_v<K> && !std::is_pointer_v<K> && !std::is_array_v<K>,
                  "an enum, array or pointer cannot be a key (KS-03): give its number or a text");
    static_assert(Storable<K>,
                  "this cannot be a key, since it cannot be stored (KS-03): take std::string for a "
                  "std::string_view, and name the fields of a struct with SLUICE_FIELDS");
    static_assert(std::equality_comparable<K>,
                  "this cannot be a key, since it has no operator== (KS-03): a struct gets one by "
                  "`bool operator==(const Me&) const = default;`");
    static_assert(detail::Hashable<K>,
                  "this cannot be a key, since it has no hash (KS-03): take a text, a number, or a "
                  "pair, a tuple or a struct with SLUICE_FIELDS of them");
    if constexpr (KeyType<K>) {  // else the errors above are enough
      return KeyedStream<K, T>{*this, [projection](detail::TypedKeySpace<K>* keys) {
                                 return std::make_unique<detail::TypedKeying<T, K, Projection>>(
                                     keys, projection);
                               }};
    }
  }

  /// All elements of both, in no order between the two.
  Stream<T> union_with(const Stream<T>& other) const {
    this->check_shares_graph_with(other.environment());
    using Op = detail::UnionOperator<T>;
    auto node = this->new_node("union", false);
    node.make = [] { return std::make_unique<Op>(); };
    auto input = detail::one_input<T>(this->forward_edge());
    input.edges.push_back(other.forward_edge());
    node.inputs.push_back(std::move(input));
    return this->template add<T, Op>(std::move(node));
  }

  template <class B>
  ConnectedStreams<T, B> connect(const Stream<B>& other) const;
  template <class B>
  BroadcastConnectedStream<T, B> connect(const BroadcastStream<B>& other) const;
  /// To every instance of the operator that this is connected to; the descriptors name the only
  /// broadcast states that operator will have (BC-04, BC-18).
  template <class... Descriptors>
  BroadcastStream<T> broadcast(Descriptors... descriptors) const;

  /// The side output that the operator before this emits under `tag` (SO-01). Throws
  /// UnsupportedOperation if the id was asked for with another type (SO-05).
  template <class X>
  Stream<X> side_output(const OutputTag<X>& tag) const {
    this->check_side_type(tag.id(), typeid(X));
    return Stream<X>{
        this->environment(), this->index(),
        [tag](detail::Operator& op) -> detail::OutputPort<X>& { return op.side_port(tag); }};
  }

  /// The end of the stream: `f(value)` or `f(value, timestamp)` for each element.
  template <class F>
  requires std::invocable<F&, const T&> || std::invocable<F&, const T&, OptionalTimestamp>
      detail::SinkHandle sink_to(F f)
  const { return sink_to<detail::CallableSink<T, F>>(std::move(f)); }
  /// A SinkFunction made from `args`.
  template <class Function, class... Args>
  requires std::derived_from<Function, SinkFunction<T>> detail::SinkHandle sink_to(Args... args)
  const {
    using Op = detail::SinkOperator<T>;
    auto node = this->new_node("sink", std::is_base_of_v<CheckpointedFunction, Function>);
    node.make = [args = std::make_tuple(std::move(args)...)] {
      return std::make_unique<Op>(detail::make_function<Function>(args));
    };
    node.inputs.push_back(detail::one_input<T>(this->forward_edge()));
    return detail::SinkHandle{this->environment().add(std::move(node))};
  }

 private:
  template <class Function, class... Args>
  Stream<typename Function::Result> simple(const char* name, bool stateful, Args... args) const {
    using Op = detail::SimpleOperator<Function>;
    auto node = this->new_node(name, stateful);
    node.make = [args = std::make_tuple(std::move(args)...)] {
      return std::make_unique<Op>(detail::make_function<Function>(args));
    };
    node.inputs.push_back(detail::one_input<T>(this->forward_edge()));
    return this->template add<typename Function::Result, Op>(std::move(node));
  }
};

template <class T>
Stream<T> Environment::from_source(std::string name) {
  using Op = detail::SourceOperator<T>;
  detail::Node node;
  node.name = std::move(name);
  node.is_source = true;
  node.parallelism = 1;
  node.make = [] { return std::make_unique<Op>(); };
  add(std::move(node));
  return Stream<T>{*this, nodes_.size() - 1, &detail::main_port<T, Op>};
}

template <class T>
Stream<T> Environment::from_collection(std::string name, std::vector<T> elements,
                                       std::function<Timestamp(const T&)> timestamp) {
  auto stream = from_source<T>(name);
  nodes_.back().pull = [name, elements = std::move(elements), timestamp = std::move(timestamp)](
                           Job& job, std::size_t position) {
    if (position >= elements.size()) return false;
    const T& element = elements[position];
    job.emit(name, element, timestamp ? OptionalTimestamp{timestamp(element)} : std::nullopt);
    return true;
  };
  return stream;
}

}  // namespace sluice
