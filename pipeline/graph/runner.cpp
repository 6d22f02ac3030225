#include "pipeline/graph/runner.hpp"

#include <optional>

namespace sluice {

namespace {

/// One run: the inputs with their positions, the job, the last snapshot of both.
class Run {
 public:
  Run(const Environment& environment, const RunnerOptions& options)
      : environment_{environment}, options_{options}, restart_{options.restart} {
    for (const auto& node : environment.nodes()) {
      if (node.pull) inputs_.push_back({&node, 0});
    }
    if (restart_ == nullptr) {
      restart_ = options.checkpoint_every == 0 ? no_restart() : exponential_delay_restart();
    }
  }

  Result<RunReport> run() {
    while (true) {
      SLUICE_RETURN_IF_ERROR(start());
      try {
        while (step()) checkpoint_if_due();
        job_->finish();
        return report_;
      } catch (const OperatorFailure& failure) {
        job_->close();
        const auto delay = restart_->on_failure(now());
        if (!delay) return Error{ErrorCode::kInternal, failure.what()};
        if (options_.sleep) options_.sleep(*delay);
        ++report_.restarts;
      }
    }
  }

 private:
  struct Input {
    const detail::Node* node;
    std::size_t position;
  };

  Timestamp now() const { return options_.clock ? options_.clock() : 0; }

  Status start() {
    JobOptions options;
    options.start_time = now();
    options.attempt = report_.restarts;
    if (snapshot_) {
      options.restore = &snapshot_->job();
      inputs_ = snapshot_inputs_;
    } else {
      for (auto& input : inputs_) input.position = 0;
    }
    job_.reset();
    auto job = Job::start(environment_, options);
    if (!job) return std::move(job).error();
    job_ = std::move(*job);
    return {};
  }

  /// One element of each input that has one left; false when none has.
  bool step() {
    bool any = false;
    job_->advance_processing_time(now());
    for (auto& input : inputs_) {
      if (!input.node->pull(*job_, input.position)) continue;
      ++input.position;
      ++report_.elements;
      any = true;
    }
    return any;
  }

  void checkpoint_if_due() {
    if (options_.checkpoint_every == 0) return;
    if (report_.elements - checkpointed_at_ < options_.checkpoint_every) return;
    checkpointed_at_ = report_.elements;
    MemorySnapshot whole;  // the former one stays valid if this fails half-way
    job_->snapshot(whole, true, report_.checkpoints + 1);
    ++report_.checkpoints;
    snapshot_ = std::move(whole);
    snapshot_inputs_ = inputs_;
    job_->notify_checkpoint_complete(report_.checkpoints);
  }

  const Environment& environment_;
  const RunnerOptions& options_;
  std::shared_ptr<RestartStrategy> restart_;
  std::vector<Input> inputs_;
  std::unique_ptr<Job> job_;
  std::optional<MemorySnapshot> snapshot_;
  std::vector<Input> snapshot_inputs_;
  std::uint64_t checkpointed_at_{0};
  RunReport report_;
};

}  // namespace

Result<RunReport> run_job(const Environment& environment, const RunnerOptions& options) {
  return Run{environment, options}.run();
}

}  // namespace sluice
