// A source without news asks for no more than the few calls that watermark and idleness need: each
// would be a record in the journal of a small machine.
#include <gtest/gtest.h>

#include "pipeline/graph/environment.hpp"
#include "pipeline/graph/job.hpp"
#include "pipeline/graph/stream.hpp"
#include "pipeline/timers/watermark_strategy.hpp"

namespace sluice {
namespace {

/// Advances to whatever the job asks for until it asks for nothing; the times.
std::vector<Timestamp> wake_ups(Job& job) {
  std::vector<Timestamp> times;
  for (auto next = job.next_processing_time(); next && times.size() < 100;
       next = job.next_processing_time()) {
    times.push_back(*next);
    job.advance_processing_time(*next);
  }
  return times;
}

class QuietSource : public testing::Test {
 protected:
  std::unique_ptr<Job> start(WatermarkStrategy<int> strategy) {
    environment_.from_source<int>("in")
        .assign_timestamps_and_watermarks(std::move(strategy))
        .sink_to([](int) {});
    auto job = Job::start(environment_, {});
    EXPECT_TRUE(job);
    return std::move(*job);
  }
  Environment environment_;
};

TEST_F(QuietSource, IsCalledOnceForItsWatermark) {
  const auto job = start(WatermarkStrategy<int>::for_bounded_out_of_orderness(Duration{0}));
  EXPECT_TRUE(wake_ups(*job).empty());
  job->emit("in", 1, 1000);
  EXPECT_EQ(wake_ups(*job), std::vector<Timestamp>{200});
}

TEST_F(QuietSource, IsNotCalledAgainUntilItCountsAsIdle) {
  const auto job = start(WatermarkStrategy<int>::for_bounded_out_of_orderness(Duration{0})
                             .with_idleness(Duration{60'000}));
  job->emit("in", 1, 1000);
  // Watermark; first look that saw nothing new; idle.
  EXPECT_EQ(wake_ups(*job), (std::vector<Timestamp>{200, 400, 60'401}));
}

TEST_F(QuietSource, StartsAnewWithTheNextElement) {
  const auto job = start(WatermarkStrategy<int>::for_bounded_out_of_orderness(Duration{0})
                             .with_idleness(Duration{60'000}));
  job->emit("in", 1, 1000);
  wake_ups(*job);
  job->advance_processing_time(100'000);
  job->emit("in", 2, 2000);
  EXPECT_EQ(wake_ups(*job).size(), 3U);
}

}  // namespace
}  // namespace sluice
