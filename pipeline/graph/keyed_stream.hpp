// KeyedStream<K, T>: a stream whose elements of one key meet in one place, with keyed state.
#pragma once

#include "pipeline/graph/data_stream.hpp"
#include "pipeline/windows/window.hpp"

namespace sluice {

template <class K, class T>
class WindowedStream;

template <class K, class T>
class KeyedStream {
 public:
  KeyedStream(Stream<T> stream, detail::KeyingFactory<T, K> keying)
      : stream_{std::move(stream)}, keying_{std::move(keying)} {}

  /// A KeyedProcessFunction, or a ProcessFunction that uses keyed state (TM-25), made from `args`.
  template <class Function, class... Args>
  Stream<typename Function::Result> process(Args... args) const {
    using Out = typename Function::Result;
    static_assert(std::is_base_of_v<KeyedProcessFunction<K, T, Out>, Function> ||
                      std::is_base_of_v<ProcessFunction<T, Out>, Function>,
                  "a keyed stream takes a KeyedProcessFunction<K, T, Out> with the key type that "
                  "key_by() gave, or a ProcessFunction<T, Out>");
    using Op = detail::ProcessOperator<Function>;
    detail::Node node;
    node.name = "process";
    node.stateful = true;
    node.make = [keying = keying_, args = std::make_tuple(std::move(args)...)] {
      return std::make_unique<Op>(detail::make_function<Function>(args), keying);
    };
    node.inputs.push_back(detail::one_input<T>(stream_.hash_edge(keying_)));
    return add<Out, Op>(std::move(node));
  }

  /// Windows of event time over each key (WM-17).
  WindowedStream<K, T> window(WindowAssigner assigner) const;

  /// Both sides keyed, with the same type of key (CO-06).
  template <class B>
  auto connect(const KeyedStream<K, B>& other) const;
  template <class B>
  auto connect(const BroadcastStream<B>& other) const;

  // --- for connected streams ---
  const Stream<T>& stream() const { return stream_; }
  const detail::KeyingFactory<T, K>& keying() const { return keying_; }

 private:
  template <class Out, class Op>
  Stream<Out> add(detail::Node node) const {
    auto& environment = stream_.environment();
    environment.add(std::move(node));
    return Stream<Out>{environment, environment.nodes().size() - 1, &detail::main_port<Out, Op>};
  }

  Stream<T> stream_;
  detail::KeyingFactory<T, K> keying_;
};

}  // namespace sluice
