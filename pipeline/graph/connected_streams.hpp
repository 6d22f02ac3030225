// Connected and broadcast streams: two inputs for one operator. Semantics: CO-01..06, BC-01..18.
#pragma once

#include <type_traits>

#include "pipeline/graph/keyed_stream.hpp"

namespace sluice {

namespace detail {
template <class Out, class Op>
Stream<Out> add_node(Environment& environment, Node node) {
  environment.add(std::move(node));
  return Stream<Out>{environment, environment.nodes().size() - 1, &main_port<Out, Op>};
}
}  // namespace detail

/// Two streams without key.
template <class A, class B>
class ConnectedStreams {
 public:
  ConnectedStreams(Stream<A> a, Stream<B> b) : a_{std::move(a)}, b_{std::move(b)} {}

  template <class Function, class... Args>
  Stream<typename Function::Result> process(Args... args) const {
    using Out = typename Function::Result;
    static_assert(std::is_base_of_v<CoProcessFunction<A, B, Out>, Function>,
                  "connected streams without keys take a CoProcessFunction<A, B, Out>; a "
                  "KeyedCoProcessFunction needs both sides keyed (CO-06)");
    using Op = detail::CoProcessOperator<Function>;
    detail::Node node;
    node.name = "co-process";
    node.stateful = true;
    node.make = [args = std::make_tuple(std::move(args)...)] {
      return std::make_unique<Op>(detail::make_function<Function>(args));
    };
    node.inputs.push_back(detail::two_input<1, A, B>(a_.forward_edge()));
    node.inputs.push_back(detail::two_input<2, A, B>(b_.forward_edge()));
    return detail::add_node<Out, Op>(a_.environment(), std::move(node));
  }

 private:
  Stream<A> a_;
  Stream<B> b_;
};

/// Two streams keyed by the same type: one keyed state for both (CO-02).
template <class K, class A, class B>
class KeyedConnectedStreams {
 public:
  KeyedConnectedStreams(KeyedStream<K, A> a, KeyedStream<K, B> b)
      : a_{std::move(a)}, b_{std::move(b)} {}

  template <class Function, class... Args>
  Stream<typename Function::Result> process(Args... args) const {
    using Out = typename Function::Result;
    static_assert(std::is_base_of_v<KeyedCoProcessFunction<K, A, B, Out>, Function> ||
                      std::is_base_of_v<CoProcessFunction<A, B, Out>, Function>,
                  "keyed connected streams take a KeyedCoProcessFunction<K, A, B, Out> or a "
                  "CoProcessFunction<A, B, Out>");
    using Op = detail::CoProcessOperator<Function>;
    detail::Node node;
    node.name = "co-process";
    node.stateful = true;
    node.make = [ka = a_.keying(), kb = b_.keying(), args = std::make_tuple(std::move(args)...)] {
      return std::make_unique<Op>(detail::make_function<Function>(args), ka, kb);
    };
    node.inputs.push_back(detail::two_input<1, A, B>(a_.stream().hash_edge(a_.keying())));
    node.inputs.push_back(detail::two_input<2, A, B>(b_.stream().hash_edge(b_.keying())));
    return detail::add_node<Out, Op>(a_.stream().environment(), std::move(node));
  }

 private:
  KeyedStream<K, A> a_;
  KeyedStream<K, B> b_;
};

/// A stream that goes to every instance, and the states it may write.
template <class B>
class BroadcastStream {
 public:
  BroadcastStream(Stream<B> stream, detail::DeclareStates declare)
      : stream_{std::move(stream)}, declare_{std::move(declare)} {}
  const Stream<B>& stream() const { return stream_; }
  const detail::DeclareStates& declare() const { return declare_; }

 private:
  Stream<B> stream_;
  detail::DeclareStates declare_;
};

/// A stream without key, and a broadcast stream.
template <class A, class B>
class BroadcastConnectedStream {
 public:
  BroadcastConnectedStream(Stream<A> a, BroadcastStream<B> b)
      : a_{std::move(a)}, b_{std::move(b)} {}

  template <class Function, class... Args>
  Stream<typename Function::Result> process(Args... args) const {
    using Out = typename Function::Result;
    static_assert(std::is_base_of_v<BroadcastProcessFunction<A, B, Out>, Function>,
                  "a stream without key takes a BroadcastProcessFunction<A, B, Out>; put key_by() "
                  "before a KeyedBroadcastProcessFunction (BC-17)");
    using Op = detail::BroadcastOperator<Function>;
    detail::Node node;
    node.name = "broadcast-process";
    node.stateful = true;
    node.make = [declare = b_.declare(), args = std::make_tuple(std::move(args)...)] {
      return std::make_unique<Op>(detail::make_function<Function>(args), declare);
    };
    node.inputs.push_back(detail::two_input<1, A, B>(a_.forward_edge()));
    node.inputs.push_back(detail::two_input<2, A, B>(b_.stream().broadcast_edge()));
    return detail::add_node<Out, Op>(a_.environment(), std::move(node));
  }

 private:
  Stream<A> a_;
  BroadcastStream<B> b_;
};

/// A keyed stream, and a broadcast stream.
template <class K, class A, class B>
class KeyedBroadcastConnectedStream {
 public:
  KeyedBroadcastConnectedStream(KeyedStream<K, A> a, BroadcastStream<B> b)
      : a_{std::move(a)}, b_{std::move(b)} {}

  template <class Function, class... Args>
  Stream<typename Function::Result> process(Args... args) const {
    using Out = typename Function::Result;
    static_assert(std::is_base_of_v<KeyedBroadcastProcessFunction<K, A, B, Out>, Function>,
                  "a keyed stream takes a KeyedBroadcastProcessFunction<K, A, B, Out> with the key "
                  "type that key_by() gave (BC-17)");
    using Op = detail::BroadcastOperator<Function>;
    detail::Node node;
    node.name = "broadcast-process";
    node.stateful = true;
    node.make = [declare = b_.declare(), keying = a_.keying(),
                 args = std::make_tuple(std::move(args)...)] {
      return std::make_unique<Op>(detail::make_function<Function>(args), declare, keying);
    };
    node.inputs.push_back(detail::two_input<1, A, B>(a_.stream().hash_edge(a_.keying())));
    node.inputs.push_back(detail::two_input<2, A, B>(b_.stream().broadcast_edge()));
    return detail::add_node<Out, Op>(a_.stream().environment(), std::move(node));
  }

 private:
  KeyedStream<K, A> a_;
  BroadcastStream<B> b_;
};

template <class T>
template <class B>
ConnectedStreams<T, B> Stream<T>::connect(const Stream<B>& other) const {
  this->check_shares_graph_with(other.environment());
  return {*this, other};
}
template <class T>
template <class B>
BroadcastConnectedStream<T, B> Stream<T>::connect(const BroadcastStream<B>& other) const {
  this->check_shares_graph_with(other.stream().environment());
  return {*this, other};
}
template <class T>
template <class... Descriptors>
BroadcastStream<T> Stream<T>::broadcast(Descriptors... descriptors) const {
  return {*this, [... d = std::move(descriptors)](OperatorStateStore& store) {
            (static_cast<void>(store.broadcast_state(d)), ...);
          }};
}
template <class K, class T>
template <class B>
auto KeyedStream<K, T>::connect(const KeyedStream<K, B>& other) const {
  stream_.check_shares_graph_with(other.stream().environment());
  return KeyedConnectedStreams<K, T, B>{*this, other};
}
template <class K, class T>
template <class B>
auto KeyedStream<K, T>::connect(const BroadcastStream<B>& other) const {
  stream_.check_shares_graph_with(other.stream().environment());
  return KeyedBroadcastConnectedStream<K, T, B>{*this, other};
}

}  // namespace sluice
