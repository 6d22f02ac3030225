// Windows: assignment, firing, lateness and sessions (WM-17).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/graph/job.hpp"
#include "pipeline/graph/stream.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

struct Level {
  std::string sensor;
  std::int64_t value{};
};

struct Sum {
  using Input = Level;
  using Accumulator = std::int64_t;
  using Result = std::int64_t;
  Accumulator create_accumulator() const { return 0; }
  void add(const Level& level, Accumulator& sum) const { sum += level.value; }
  Result get_result(const Accumulator& sum) const { return sum; }
  void merge(Accumulator& into, const Accumulator& other) const { into += other; }
};

using Result = WindowResult<std::string, std::int64_t>;

/// A job of one window operator whose results and late elements are kept.
class Windows {
 public:
  explicit Windows(WindowAssigner assigner, Duration lateness = 0ms,
                   const JobSnapshot* restore = nullptr) {
    const OutputTag<Level> late{"late"};
    auto results = environment_.from_source<Level>("in")
                       .key_by(&Level::sensor)
                       .window(assigner)
                       .allowed_lateness(lateness)
                       .side_output_late(late)
                       .aggregate(Sum{})
                       .uid("sums");
    results.sink_to([this](const Result& r, OptionalTimestamp t) {
      results_.push_back(r);
      EXPECT_EQ(t, r.window.max_timestamp());
    });
    results.side_output(late).sink_to([this](const Level& l) { late_.push_back(l.value); });
    JobOptions options;
    options.restore = restore;
    job_ = std::move(Job::start(environment_, options)).value();
  }
  void element(Timestamp at, std::int64_t value, std::string sensor = "a") {
    job_->emit<Level>("in", {std::move(sensor), value}, at);
  }
  void watermark(Timestamp at) { job_->emit_watermark("in", at); }
  Job& job() { return *job_; }
  std::vector<Result> take() { return std::exchange(results_, {}); }
  std::vector<std::int64_t> take_late() { return std::exchange(late_, {}); }

 private:
  Environment environment_;
  std::unique_ptr<Job> job_;
  std::vector<Result> results_;
  std::vector<std::int64_t> late_;
};

TEST(WindowAssigner, TumblingWindowsLieSideBySideAlsoBefore1970) {
  const auto assigner = WindowAssigner::tumbling(10ms);
  EXPECT_THAT(assigner.assign(0), ElementsAre(TimeWindow{0, 10}));
  EXPECT_THAT(assigner.assign(9), ElementsAre(TimeWindow{0, 10}));
  EXPECT_THAT(assigner.assign(10), ElementsAre(TimeWindow{10, 20}));
  EXPECT_THAT(assigner.assign(-1), ElementsAre(TimeWindow{-10, 0}));
}

TEST(WindowAssigner, AnOffsetMovesTheBorders) {
  EXPECT_THAT(WindowAssigner::tumbling(10ms, 3ms).assign(2), ElementsAre(TimeWindow{-7, 3}));
  EXPECT_THAT(WindowAssigner::tumbling(10ms, 3ms).assign(3), ElementsAre(TimeWindow{3, 13}));
}

TEST(WindowAssigner, AnElementIsInSizeBySlideSlidingWindows) {
  EXPECT_THAT(WindowAssigner::sliding(10ms, 5ms).assign(7),
              ElementsAre(TimeWindow{5, 15}, TimeWindow{0, 10}));
}

TEST(WindowAssigner, WindowsAtTheEndsOfTimeAreCut) {
  for (const Timestamp t : {kMinTimestamp + 1, kMaxTimestamp - 1, kMaxTimestamp}) {
    for (const auto& assigner :
         {WindowAssigner::tumbling(10ms, 3ms), WindowAssigner::sliding(10ms, 5ms, -3ms),
          WindowAssigner::sessions(10ms)}) {
      const auto windows = assigner.assign(t);
      ASSERT_FALSE(windows.empty()) << t;
      for (const TimeWindow& window : windows) {
        EXPECT_LE(window.start, t);
        EXPECT_GE(window.end, t);
        EXPECT_LE(static_cast<std::uint64_t>(window.end) - static_cast<std::uint64_t>(window.start),
                  10U);
      }
    }
  }
}

TEST(WindowAssigner, SizesThatAreNotPositiveAreRefused) {
  EXPECT_THROW(WindowAssigner::tumbling(0ms), InvalidArgument);
  EXPECT_THROW(WindowAssigner::sliding(10ms, 0ms), InvalidArgument);
  EXPECT_THROW(WindowAssigner::sessions(-1ms), InvalidArgument);
  EXPECT_THROW(WindowAssigner::tumbling(10ms, 10ms), InvalidArgument);
}

TEST(Windows, FireOnceWhenTheWatermarkReachesTheirLastMillisecond) {
  Windows windows{WindowAssigner::tumbling(10ms)};
  windows.element(1, 5);
  windows.element(9, 7);
  windows.element(10, 100);
  windows.watermark(8);
  EXPECT_THAT(windows.take(), IsEmpty());
  windows.watermark(9);
  EXPECT_THAT(windows.take(), ElementsAre(Result{"a", {0, 10}, 12}));
  windows.watermark(18);
  EXPECT_THAT(windows.take(), IsEmpty());
}

TEST(Windows, KeepTheKeysApart) {
  Windows windows{WindowAssigner::tumbling(10ms)};
  windows.element(1, 5, "a");
  windows.element(2, 7, "b");
  windows.watermark(9);
  EXPECT_THAT(windows.take(),
              testing::UnorderedElementsAre(Result{"a", {0, 10}, 5}, Result{"b", {0, 10}, 7}));
}

TEST(Windows, AnElementTooLateForItsWindowGoesToTheSideOutput) {
  Windows windows{WindowAssigner::tumbling(10ms)};
  windows.watermark(9);
  windows.element(9, 1);
  windows.element(10, 2);
  EXPECT_THAT(windows.take_late(), ElementsAre(1));
  windows.watermark(19);
  EXPECT_THAT(windows.take(), ElementsAre(Result{"a", {10, 20}, 2}));
}

TEST(Windows, WithinTheAllowedLatenessTheWindowFiresAgain) {
  Windows windows{WindowAssigner::tumbling(10ms), 5ms};
  windows.element(1, 1);
  windows.watermark(9);
  EXPECT_THAT(windows.take(), ElementsAre(Result{"a", {0, 10}, 1}));
  windows.watermark(13);
  windows.element(2, 10);  // 9 + 5 > 13: still there
  EXPECT_THAT(windows.take(), ElementsAre(Result{"a", {0, 10}, 11}));
  windows.watermark(14);
  windows.element(2, 100);  // 9 + 5 <= 14: gone
  EXPECT_THAT(windows.take(), IsEmpty());
  EXPECT_THAT(windows.take_late(), ElementsAre(100));
}

TEST(Windows, SlidingWindowsCountAnElementInEach) {
  Windows windows{WindowAssigner::sliding(10ms, 5ms)};
  windows.element(7, 3);
  windows.watermark(20);
  EXPECT_THAT(windows.take(), ElementsAre(Result{"a", {0, 10}, 3}, Result{"a", {5, 15}, 3}));
}

TEST(Windows, SessionsGrowWhileTheGapIsNotReached) {
  Windows windows{WindowAssigner::sessions(10ms)};
  windows.element(0, 1);
  windows.element(30, 100);
  windows.element(9, 2);
  windows.watermark(17);
  EXPECT_THAT(windows.take(), IsEmpty());
  windows.watermark(18);
  EXPECT_THAT(windows.take(), ElementsAre(Result{"a", {0, 19}, 3}));
  windows.watermark(39);
  EXPECT_THAT(windows.take(), ElementsAre(Result{"a", {30, 40}, 100}));
}

TEST(Windows, AnElementBetweenTwoSessionsMakesThemOne) {
  Windows windows{WindowAssigner::sessions(10ms)};
  windows.element(0, 1);
  windows.element(16, 2);
  windows.element(8, 4);
  windows.watermark(100);
  EXPECT_THAT(windows.take(), ElementsAre(Result{"a", {0, 26}, 7}));
}

TEST(Windows, SurviveARestore) {
  MemorySnapshot snapshot;
  {
    Windows before{WindowAssigner::tumbling(10ms)};
    before.element(1, 5);
    before.job().snapshot(snapshot, true, 1);
  }
  Windows after{WindowAssigner::tumbling(10ms), 0ms, &snapshot.job()};
  after.element(2, 6);
  after.watermark(9);
  EXPECT_THAT(after.take(), ElementsAre(Result{"a", {0, 10}, 11}));
}

TEST(Windows, WithoutEventTimeTheyAreRefusedWithASentence) {
  Windows windows{WindowAssigner::tumbling(10ms)};
  EXPECT_THROW(windows.job().emit<Level>("in", {"a", 1}), OperatorFailure);
  EXPECT_THROW(windows.element(kMinTimestamp, 1), OperatorFailure) << "no assigner gave it one";
}

}  // namespace
}  // namespace sluice
