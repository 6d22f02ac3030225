#include "pipeline/graph/environment.hpp"

#include <map>

#include "pipeline/graph/event_time.hpp"

namespace sluice {

namespace {

/// As in Flink, whose snapshots count key groups in 16 bits.
constexpr std::uint32_t kMostKeyGroups = 32768;

void add_problem(std::string& problems, const std::string& problem) {
  if (!problems.empty()) problems += "; ";
  problems += problem;
}

}  // namespace

Status Environment::validate() const {
  std::string problems;
  std::map<std::string, std::string> uids;
  std::map<std::string, int> sources;
  if (max_parallelism_ > kMostKeyGroups) {
    add_problem(problems, "the max parallelism is " + std::to_string(max_parallelism_) +
                              ", but at most " + std::to_string(kMostKeyGroups) + " (CP-10)");
  }
  for (const auto& node : nodes_) {
    if (node.parallelism.value_or(parallelism_) == 0) {
      add_problem(problems,
                  "operator '" + node.name +
                      "' has parallelism 0 and would never see an element: set 1 or more");
    }
    if (node.is_source && ++sources[node.name] == 2) {
      add_problem(problems, "there are two sources named '" + node.name + "'");
    }
    if (node.stateful && node.uid.empty()) {
      add_problem(problems, "operator '" + node.name +
                                "' may hold state and needs a uid(\"…\"), by which its state is "
                                "found again");
    }
    if (node.uid.empty()) continue;
    if (node.uid == detail::kEventTimeUid) {
      add_problem(problems, "the uid '" + node.uid + "' is taken: give operator '" + node.name +
                                "' another one");
    }
    const auto [it, fresh] = uids.emplace(node.uid, node.name);
    if (!fresh) {
      add_problem(problems, "operators '" + it->second + "' and '" + node.name +
                                "' have the same uid '" + node.uid + "' (CP-07)");
    }
  }
  if (problems.empty()) return {};
  return Error{ErrorCode::kInvalid, problems};
}

}  // namespace sluice
