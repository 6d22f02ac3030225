// StreamBase: how streams add nodes and edges to the graph. Not for users of streams.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <typeindex>
#include <utility>
#include <vector>

#include "pipeline/base/errors.hpp"
#include "pipeline/graph/environment.hpp"
#include "pipeline/graph/gate.hpp"

namespace sluice::detail {

template <class Function, class... Args>
std::unique_ptr<Function> make_function(const std::tuple<Args...>& args) {
  return std::apply([](const Args&... a) { return std::make_unique<Function>(a...); }, args);
}

template <class T, class Op>
OutputPort<T>& main_port(Operator& op) {
  return static_cast<Op&>(op).output();
}

/// An input of a one-input operator of T.
template <class T>
NodeInput one_input(Edge edge) {
  NodeInput input;
  input.edges.push_back(std::move(edge));
  input.make_gate = [](Operator& to, std::size_t channels) -> std::unique_ptr<GateBase> {
    return std::make_unique<Gate<T>>(static_cast<OneInputOperator<T>&>(to), channels);
  };
  return input;
}

/// Input 1 or 2 of a two-input operator.
template <int N, class A, class B>
NodeInput two_input(Edge edge) {
  NodeInput input;
  input.edges.push_back(std::move(edge));
  input.make_gate = [](Operator& to, std::size_t channels) -> std::unique_ptr<GateBase> {
    auto& op = static_cast<TwoInputOperator<A, B>&>(to);
    if constexpr (N == 1) {
      return std::make_unique<Gate<A>>(op.first(), channels);
    } else {
      return std::make_unique<Gate<B>>(op.second(), channels);
    }
  };
  return input;
}

/// Names a sink; sinks have no stream behind them.
class SinkHandle {
 public:
  explicit SinkHandle(Node& node) : node_{node} {}
  SinkHandle uid(std::string uid) const {
    node_.uid = std::move(uid);
    return *this;
  }
  SinkHandle name(std::string name) const {
    node_.name = std::move(name);
    return *this;
  }

 private:
  Node& node_;
};

template <class T>
class StreamBase {
 public:
  using Element = T;
  using GetPort = std::function<OutputPort<T>&(Operator&)>;

  StreamBase(Environment& environment, std::size_t index, GetPort port)
      : environment_{&environment}, index_{index}, port_{std::move(port)} {}

  Environment& environment() const { return *environment_; }
  std::size_t index() const { return index_; }
  /// Throws InvalidArgument if `other` is in another environment: an edge is a number of a node.
  void check_shares_graph_with(const Environment& other) const {
    if (environment_ == &other) return;
    throw InvalidArgument{
        "streams of two environments cannot meet: build both on one, or feed one job from the "
        "other"};
  }

  Edge forward_edge() const {
    return edge(Partition::kForward, [](const auto& targets) {
      // Round robin where the numbers of instances differ.
      return [n = targets.size(), next = std::size_t{0}](const T&) mutable { return next++ % n; };
    });
  }
  Edge broadcast_edge() const {
    Edge result;
    result.from = index_;
    result.partition = Partition::kBroadcast;
    result.connect = [port = port_](Operator& from, const std::vector<GateBase*>& to, Wires&,
                                    std::uint32_t) {
      for (auto* target : channels(to)) port(from).connect(*target);
    };
    return result;
  }
  template <class K>
  Edge hash_edge(const KeyingFactory<T, K>& keying) const {
    Edge result;
    result.from = index_;
    result.partition = Partition::kHash;
    result.connect = [port = port_, keying](Operator& from, const std::vector<GateBase*>& to,
                                            Wires& wires, std::uint32_t max_parallelism) {
      auto choose = [keying = std::shared_ptr<Keying<T>>(keying(nullptr)), n = to.size(),
                     max_parallelism](const T& value) -> std::size_t {
        const auto group = key_group_of(keying->hash_code(value), max_parallelism);
        return subtask_of(group, static_cast<std::uint32_t>(n), max_parallelism);
      };
      route(port(from), to, wires, std::move(choose));
    };
    return result;
  }

 protected:
  Node& node() const { return environment_->nodes()[index_]; }
  Node new_node(const char* name, bool stateful) const {
    Node node;
    node.name = name;
    node.stateful = stateful;
    return node;
  }
  void check_side_type(const std::string& id, std::type_index type) const {
    const auto [it, fresh] = node().side_types.emplace(id, type);
    if (!fresh && it->second != type) {
      throw UnsupportedOperation{"side output '" + id +
                                 "' was asked for with another type before; ids of side outputs "
                                 "must be unique (SO-05)"};
    }
  }
  /// Adds a node whose main output is a stream of Out from operator class Op.
  template <class Out, class Op>
  auto add(Node node) const;

 private:
  static std::vector<Input<T>*> channels(const std::vector<GateBase*>& gates) {
    std::vector<Input<T>*> result;
    for (auto* gate : gates) result.push_back(&static_cast<Gate<T>&>(*gate).claim_channel());
    return result;
  }
  static void route(OutputPort<T>& from, const std::vector<GateBase*>& to, Wires& wires,
                    typename Router<T>::Choose choose) {
    auto targets = channels(to);
    if (targets.size() == 1) {
      from.connect(*targets.front());
      return;
    }
    auto router = std::make_shared<Router<T>>(std::move(targets), std::move(choose));
    from.connect(*router);
    wires.kept.push_back(std::move(router));
  }
  template <class MakeChoose>
  Edge edge(Partition partition, MakeChoose make_choose) const {
    Edge result;
    result.from = index_;
    result.partition = partition;
    result.connect = [port = port_, make_choose](Operator& from, const std::vector<GateBase*>& to,
                                                 Wires& wires, std::uint32_t) {
      route(port(from), to, wires, make_choose(to));
    };
    return result;
  }

  Environment* environment_;
  std::size_t index_;
  GetPort port_;
};

}  // namespace sluice::detail

namespace sluice {
template <class T>
class Stream;
}

template <class T>
template <class Out, class Op>
auto sluice::detail::StreamBase<T>::add(Node node) const {
  environment_->add(std::move(node));
  return Stream<Out>{*environment_, environment_->nodes().size() - 1, &main_port<Out, Op>};
}
