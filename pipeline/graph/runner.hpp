// run_job() runs a graph over bounded inputs from beginning to end, with checkpoints and restarts:
// for programs that embed the runtime, for tests and for examples. The daemon has its own engine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "pipeline/base/result.hpp"
#include "pipeline/graph/environment.hpp"
#include "pipeline/graph/job.hpp"
#include "pipeline/graph/restart_strategy.hpp"

namespace sluice {

struct RunnerOptions {
  /// A snapshot after so many elements; 0: never, and a failure starts from the beginning (RR-01).
  std::uint64_t checkpoint_every{0};
  /// nullptr: no_restart() without checkpoints, exponential_delay_restart() with (RR-02).
  std::shared_ptr<RestartStrategy> restart{};
  /// Processing time. Without it time stands still at 0.
  std::function<Timestamp()> clock{};
  /// How to wait before a restart. Without it nobody waits.
  std::function<void(Duration)> sleep{};
};

/// What a run was like.
struct RunReport {
  std::uint64_t elements{0};  ///< read from the inputs, repeats after restarts included
  std::uint64_t checkpoints{0};
  std::uint32_t restarts{0};
};

/// Feeds every Environment::from_collection() source of the graph, one element of each in turn, to
/// the end; then finishes the job. A failing user function restarts it from the last snapshot, with
/// the inputs rewound to it; what was emitted in between is emitted again (CP-06). When the restart
/// strategy gives up, its error is returned: operator uid, key and cause.
Result<RunReport> run_job(const Environment& environment, const RunnerOptions& options = {});

}  // namespace sluice
