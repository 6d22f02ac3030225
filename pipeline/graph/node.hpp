// Node: one operator of a job graph, before it runs. Streams make nodes; Job makes instances.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeindex>
#include <vector>

#include "pipeline/graph/gate.hpp"
#include "pipeline/operators/operator.hpp"

namespace sluice {
class Job;
}

namespace sluice::detail {

/// How the elements of a stream are spread over the instances of the next operator.
enum class Partition : std::uint8_t {
  kForward,    ///< instance i to instance i; round robin if the numbers differ
  kHash,       ///< by key group (KS-08)
  kBroadcast,  ///< to all (BC-15)
};

/// What the wiring of one sender needs; lives as long as the job.
struct Wires {
  std::vector<std::shared_ptr<void>> kept;
};

struct Edge {
  std::size_t from{};  ///< node index
  Partition partition{Partition::kForward};
  /// Connects one sending instance to the gates it may send to.
  std::function<void(Operator& from, const std::vector<GateBase*>& to, Wires& wires,
                     std::uint32_t max_parallelism)>
      connect;
};

/// One input of an operator; several edges end in it if streams were united.
struct NodeInput {
  std::vector<Edge> edges;
  std::function<std::unique_ptr<GateBase>(Operator& to, std::size_t channels)> make_gate;
};

struct Node {
  std::string uid;   ///< identity of its state (CP-07); empty if none was given
  std::string name;  ///< for people: kind of operator unless named
  bool stateful{false};
  bool is_source{false};
  std::optional<std::uint32_t> parallelism;
  std::function<std::unique_ptr<Operator>()> make;
  /// Of a bounded source: emits the element at a position; false behind the last.
  std::function<bool(Job& job, std::size_t position)> pull;
  std::vector<NodeInput> inputs;
  std::map<std::string, std::type_index>
      side_types;  ///< what side outputs were asked for as (SO-05)
};

}  // namespace sluice::detail
