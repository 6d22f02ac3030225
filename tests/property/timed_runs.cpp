#include "tests/property/timed_runs.hpp"

#include <memory>
#include <stdexcept>

#include "pipeline/graph/job.hpp"

namespace sluice::property {

namespace {

using namespace std::chrono_literals;

struct SumOfB {
  using Input = Op;
  using Accumulator = std::int64_t;
  using Result = std::int64_t;
  Accumulator create_accumulator() const { return 0; }
  void add(const Op& op, Accumulator& sum) const { sum += op.b; }
  Result get_result(const Accumulator& sum) const { return sum; }
};

Report report(const Op& op, const std::string& what,
              CoProcessFunction<Op, Op, Report>::Context& c) {
  return {op.key, what + " " + std::to_string(*c.timestamp()) + ", watermark " +
                      std::to_string(c.timer_service().current_watermark())};
}

/// Says what time it is for each element of either side.
class TellTime final : public CoProcessFunction<Op, Op, Report> {
 public:
  void process_element1(const Op& op, Context& context, Collector<Report>& out) override {
    out.collect(report(op, "first", context));
  }
  void process_element2(const Op& op, Context& context, Collector<Report>& out) override {
    out.collect(report(op, "second", context));
  }
};

class Instance {
 public:
  Instance(Cut cut, const JobSnapshot* restore, Timestamp clock) {
    const auto first = source("first");
    const auto second = source("second");
    const auto keep = [this](const Report& r) { reports_.push_back(r); };
    first.connect(second).process<TellTime>().uid("tell-time").sink_to(keep);
    const OutputTag<Op> late{"late"};
    auto sums = first.union_with(second)
                    .filter([](const Op& op) { return op.b % 7 != 0; })
                    .key_by(&Op::key)
                    .window(WindowAssigner::tumbling(20ms))
                    .allowed_lateness(5ms)
                    .side_output_late(late)
                    .aggregate(SumOfB{})
                    .uid("sums");
    sums.sink_to([this](const WindowResult<std::string, std::int64_t>& r) {
      reports_.push_back(
          {r.key, "window " + std::to_string(r.window.start) + ": " + std::to_string(r.value)});
    });
    sums.side_output(late).sink_to([this](const Op& op) {
      reports_.push_back({op.key, "late " + std::to_string(op.b)});
    });
    JobOptions options;
    options.restore = restore;
    options.track_changes = cut == Cut::kIncremental;
    options.start_time = clock;
    options.keep_event_time = true;
    auto started = Job::start(environment_, options);
    if (!started) throw std::runtime_error{started.error().message()};
    job_ = std::move(*started);
  }

  void perform(const Step& step) {
    if (step.kind == Step::Kind::kElement) {
      job_->emit(step.op.a == 0 ? "second" : "first", step.op, step.at);
    } else {
      job_->advance_processing_time(job_->processing_time() + (step.at % 3 + 1) * 100);
    }
  }
  Job& job() { return *job_; }
  std::vector<Report> take() { return std::exchange(reports_, {}); }

 private:
  Stream<Op> source(const std::string& name) {
    return environment_.from_source<Op>(name).assign_timestamps_and_watermarks(
        WatermarkStrategy<Op>::for_bounded_out_of_orderness(3ms).with_idleness(250ms));
  }

  Environment environment_;
  std::unique_ptr<Job> job_;
  std::vector<Report> reports_;
};

}  // namespace

std::vector<std::vector<Report>> timed_run(const Script& script, Cut cut) {
  std::vector<std::vector<Report>> reports;
  MemorySnapshot snapshot;
  auto instance = std::make_unique<Instance>(cut, nullptr, 0);
  for (std::size_t i = 0; i < script.size(); ++i) {
    instance->perform(script[i]);
    reports.push_back(instance->take());
    if (cut == Cut::kNever) continue;
    const bool full = cut == Cut::kFull;
    if (full) snapshot = MemorySnapshot{};
    instance->job().snapshot(snapshot, full, i + 1);
    const Timestamp clock = instance->job().processing_time();
    instance = std::make_unique<Instance>(cut, &snapshot.job(), clock);
  }
  return reports;
}

}  // namespace sluice::property
