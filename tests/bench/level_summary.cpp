#include "tests/bench/level_summary.hpp"

namespace sluice::bench {

LevelSummaryJob::LevelSummaryJob(JobOptions options) {
  environment_.from_source<Event>("events")
      .key_by(&Event::sensor)
      .process<LevelSummary>()
      .uid("level-summary")
      .sink_to([this](const Summary& s) { total_ += s.delta + s.third + s.mean; });
  job_ = must(Job::start(environment_, options));
}

}  // namespace sluice::bench
