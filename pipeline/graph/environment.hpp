// Environment: the start of every job graph. Streams grow from it; Job runs what was built.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "pipeline/base/result.hpp"
#include "pipeline/graph/node.hpp"

namespace sluice {

template <class T>
class Stream;

/// Holds the graph. Must outlive its streams and may be run by several Jobs, one after the other
/// (a restart) or beside each other. Not thread-safe while it is built, constant afterwards.
class Environment {
 public:
  Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  /// Instances of each operator that does not say otherwise; 1 unless set.
  void set_parallelism(std::uint32_t parallelism) { parallelism_ = parallelism; }
  std::uint32_t parallelism() const { return parallelism_; }
  /// Number of key groups; fixed for the life of the state (CP-10). 0: Flink's default.
  void set_max_parallelism(std::uint32_t max_parallelism) { max_parallelism_ = max_parallelism; }
  std::uint32_t max_parallelism() const { return max_parallelism_; }

  /// A stream that is fed through Job::emit under this name.
  template <class T>
  Stream<T> from_source(std::string name);

  /// A stream of these elements, read by run_job(). `timestamp` gives their event time; without it
  /// they have none.
  template <class T>
  Stream<T> from_collection(std::string name, std::vector<T> elements,
                            std::function<Timestamp(const T&)> timestamp = {});

  /// Ok if the graph can run: every stateful operator has a uid, no uid is used twice (CP-07), no
  /// source name is used twice. The message names them all.
  Status validate() const;

  // --- for streams and jobs ---
  detail::Node& add(detail::Node node) { return nodes_.emplace_back(std::move(node)); }
  std::deque<detail::Node>& nodes() { return nodes_; }
  const std::deque<detail::Node>& nodes() const { return nodes_; }

 private:
  std::deque<detail::Node> nodes_;  // in topological order: edges lead to earlier nodes only
  std::uint32_t parallelism_{1};
  std::uint32_t max_parallelism_{0};
};

}  // namespace sluice
