#include "tests/property/runs.hpp"

#include <memory>
#include <stdexcept>

#include "pipeline/graph/job.hpp"

namespace sluice::property {

namespace {

/// One graph and its running job.
class Instance {
 public:
  Instance(const RunOptions& options, std::uint32_t parallelism, const JobSnapshot* restore,
           Timestamp clock) {
    environment_.set_parallelism(parallelism);
    environment_.from_source<Op>("in")
        .key_by(&Op::key)
        .process<Everything>(options.ttl)
        .uid("everything")
        .sink_to([this](const Report& report) { reports_.push_back(report); });
    JobOptions job_options;
    job_options.restore = restore;
    job_options.track_changes = options.cut == Cut::kIncremental;
    job_options.start_time = clock;
    auto started = Job::start(environment_, job_options);
    if (!started) throw std::runtime_error{started.error().message()};
    job_ = std::move(*started);
  }
  Job& job() { return *job_; }
  std::vector<Report> take() { return std::exchange(reports_, {}); }

 private:
  Environment environment_;
  std::unique_ptr<Job> job_;
  std::vector<Report> reports_;
};

void perform(Job& job, const Step& step) {
  switch (step.kind) {
    case Step::Kind::kElement: job.emit("in", step.op, step.at); break;
    case Step::Kind::kWatermark: job.emit_watermark("in", step.at); break;
    case Step::Kind::kClock: job.advance_processing_time(step.at); break;
  }
}

}  // namespace

std::vector<std::vector<Report>> run(const Script& script, const RunOptions& options) {
  std::vector<std::vector<Report>> reports;
  MemorySnapshot snapshot;
  std::uint32_t parallelism = options.parallelism;
  auto instance = std::make_unique<Instance>(options, parallelism, nullptr, 0);
  for (std::size_t i = 0; i < script.size(); ++i) {
    perform(instance->job(), script[i]);
    reports.push_back(instance->take());
    if (options.cut == Cut::kNever) continue;

    const bool full = options.cut == Cut::kFull;
    if (full) snapshot = MemorySnapshot{};
    instance->job().snapshot(snapshot, full, i + 1);
    const Timestamp clock = instance->job().processing_time();
    instance.reset();
    if (!options.rescale_to.empty()) {
      parallelism = options.rescale_to[i % options.rescale_to.size()];
    }
    instance = std::make_unique<Instance>(options, parallelism, &snapshot.job(), clock);
  }
  return reports;
}

}  // namespace sluice::property
