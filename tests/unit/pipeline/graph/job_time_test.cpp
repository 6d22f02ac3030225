// Time in a running job: timers of both domains, periodic watermarks, idle sources, the end.
#include "tests/unit/pipeline/graph/probe.hpp"

namespace sluice {
namespace {

using test::Item;
using test::Probe;
using test::ProbeTest;
using testing::ElementsAre;
using testing::IsEmpty;

class JobTime : public ProbeTest {
 protected:
  /// Each element sets a timer for its value.
  static Probe::Script processing_timer_of_value() {
    return {.element = [](Probe&, const Item& item, Probe::Base::Context& context, Probe::Out&) {
      context.timer_service().register_processing_time_timer(item.value);
    }};
  }
  static Probe::Script event_timer_of_value() {
    return {.element = [](Probe&, const Item& item, Probe::Base::Context& context, Probe::Out&) {
      context.timer_service().register_event_time_timer(item.value);
    }};
  }
};

TEST_F(JobTime, AProcessingTimerFiresOnceItsMillisecondHasPassed) {  // TM-13, TM-23
  build(processing_timer_of_value());
  const auto job = start();
  job->emit("in", Item{"b", 20});
  job->emit("in", Item{"a", 10});
  job->advance_processing_time(10);
  EXPECT_THAT(out, IsEmpty());
  job->advance_processing_time(11);
  EXPECT_THAT(out, ElementsAre("a@10"));
  job->advance_processing_time(1000);
  EXPECT_THAT(out, ElementsAre("a@10", "b@20"));
}

TEST_F(JobTime, AProcessingTimerInThePastFiresAfterTheElementThatSetsIt) {  // TM-15
  build({.element = [](Probe&, const Item& item, Probe::Base::Context& context, Probe::Out& to) {
    context.timer_service().register_processing_time_timer(item.value);
    to.collect("element");
  }});
  const auto job = start({.start_time = 100});
  job->emit("in", Item{"a", 50});
  EXPECT_THAT(out, ElementsAre("element", "a@50"));
}

TEST_F(JobTime, ATimerThatAProcessingTimerSetsInThePastFiresInTheSameAdvance) {  // TM-16
  build({.element = [](Probe&, const Item&, Probe::Base::Context& context,
                       Probe::Out&) { context.timer_service().register_processing_time_timer(10); },
         .timer =
             [](Probe&, Timestamp at, Probe::Base::OnTimerContext& context, Probe::Out& to) {
               to.collect(std::to_string(at));
               EXPECT_EQ(context.time_domain(), TimeDomain::kProcessingTime);  // TM-14
               if (at == 10) context.timer_service().register_processing_time_timer(3);
             }});
  const auto job = start();
  job->emit("in", Item{"a", 0});
  job->advance_processing_time(11);
  EXPECT_THAT(out, ElementsAre("10", "3"));
}

TEST_F(JobTime, OverdueTimersFireAtOnceAfterARestore) {  // TM-12, TM-17
  build(processing_timer_of_value());
  MemorySnapshot snapshot;
  {
    const auto job = start();
    job->emit("in", Item{"a", 10});
    job->emit("in", Item{"b", 5000});
    job->snapshot(snapshot, true, 1);
  }
  const auto job = start({.restore = &snapshot.job(), .start_time = 1000});
  job->advance_processing_time(1000);
  EXPECT_THAT(out, ElementsAre("a@10"));
  EXPECT_EQ(job->next_processing_time(), 5000);
}

TEST_F(JobTime, TheEndOfTheInputFiresAllEventTimersAndDropsTheOthers) {  // TM-19, TM-24, WM-10
  build({.element = [](Probe&, const Item& item, Probe::Base::Context& context, Probe::Out&) {
    context.timer_service().register_event_time_timer(item.value);
    context.timer_service().register_processing_time_timer(item.value);
  }});
  const auto job = start();
  job->emit("in", Item{"a", 10});
  job->emit("in", Item{"b", kMaxTimestamp});
  job->emit_watermark("in", kMaxTimestamp - 1);
  EXPECT_THAT(out, ElementsAre("a@10"));
  job->finish();  // ORA-06
  EXPECT_THAT(out, ElementsAre("a@10", "b@" + std::to_string(kMaxTimestamp)));
}

TEST_F(JobTime, AnEventTimerAtOrBeforeTheWatermarkWaitsForTheNext) {  // TM-01, TM-08
  build(event_timer_of_value());
  const auto job = start();
  job->emit_watermark("in", 100);
  job->emit("in", Item{"a", 50});
  job->emit("in", Item{"b", 100});
  job->emit_watermark("in", 100);  // does not advance
  EXPECT_THAT(out, IsEmpty());
  job->emit_watermark("in", 101);
  EXPECT_THAT(out, ElementsAre("a@50", "b@100"));
}

TEST_F(JobTime, AWatermarkGoingBackIsIgnored) {  // WM-13
  build({.element = [](Probe&, const Item&, Probe::Base::Context& context, Probe::Out& to) {
    to.collect(std::to_string(context.timer_service().current_watermark()));
  }});
  const auto job = start();
  job->emit("in", Item{"a", 0});
  job->emit_watermark("in", 100);
  job->emit_watermark("in", 40);
  job->emit("in", Item{"a", 0}, 7);  // and a late element is processed: WM-12
  EXPECT_THAT(out, ElementsAre(std::to_string(kMinTimestamp), "100"));  // WM-19
}

TEST_F(JobTime, WatermarksAreInNoSnapshot) {  // WM-14
  build(event_timer_of_value());
  MemorySnapshot snapshot;
  {
    const auto job = start();
    job->emit("in", Item{"a", 200});
    job->emit_watermark("in", 100);
    job->snapshot(snapshot, true, 1);
  }
  const auto job = start({.restore = &snapshot.job()});
  job->emit_watermark("in", 50);
  job->emit("in", Item{"b", 45});
  job->emit_watermark("in", 60);
  EXPECT_THAT(out, ElementsAre("b@45")) << "event time began anew";
  job->emit_watermark("in", 200);
  EXPECT_THAT(out, ElementsAre("b@45", "a@200"));
}

TEST_F(JobTime, ProcessingTimeNeverGoesBack) {
  build({});
  const auto job = start({.start_time = 100});
  job->advance_processing_time(50);
  EXPECT_EQ(job->processing_time(), 100);
}

TEST_F(JobTime, AnUnknownSourceOrOneOfAnotherTypeIsNamed) {
  build({});
  const auto job = start();
  EXPECT_THROW(job->emit("out", Item{}), InvalidArgument);
  EXPECT_THROW(job->emit("in", 5), InvalidArgument);
  EXPECT_THROW(job->emit_watermark("out", 1), InvalidArgument);
  EXPECT_THROW(job->set_idle("out", true), InvalidArgument);
}

/// Says the watermark of each call.
class Watermarks final : public ProcessFunction<std::int64_t, std::int64_t> {
 public:
  void process_element(const std::int64_t&, Context& context,
                       Collector<std::int64_t>& to) override {
    to.collect(context.timer_service().current_watermark());
  }
};

struct WatermarkJob {
  explicit WatermarkJob(Timestamp start) {
    env.from_source<std::int64_t>("in")
        .assign_timestamps_and_watermarks(
            WatermarkStrategy<std::int64_t>::for_monotonous_timestamps().with_timestamp_assigner(
                [](std::int64_t value, Timestamp) { return value; }))
        .process<Watermarks>()
        .uid("w")
        .sink_to([this](const std::int64_t& watermark) { seen.push_back(watermark); });
    job = std::move(Job::start(env, {.start_time = start})).value();
  }
  Environment env;
  std::vector<std::int64_t> seen;
  std::unique_ptr<Job> job;
};

TEST(JobWatermarks, AreAskedForEvery200MillisecondsAndNeverPerElement) {  // WM-02, WM-03, WM-16
  WatermarkJob at{1000};
  at.job->emit("in", std::int64_t{50});
  at.job->emit("in", std::int64_t{60});
  at.job->advance_processing_time(1199);
  at.job->emit("in", std::int64_t{55});
  at.job->advance_processing_time(1200);
  at.job->emit("in", std::int64_t{40});
  at.job->emit_watermark("in", 500);  // from upstream, ends here: WM-08
  at.job->advance_processing_time(1400);
  at.job->emit("in", std::int64_t{40});
  EXPECT_THAT(at.seen, ElementsAre(kMinTimestamp, kMinTimestamp, kMinTimestamp, 59, 59));
}

TEST(JobWatermarks, AreNotAskedForEarlierWhereTheClockEnds) {  // WM-02
  WatermarkJob at{kMaxTimestamp - 100};
  at.job->emit("in", std::int64_t{50});
  at.job->advance_processing_time(kMaxTimestamp - 50);
  at.job->emit("in", std::int64_t{50});
  at.job->advance_processing_time(kMaxTimestamp);
  at.job->emit("in", std::int64_t{50});
  EXPECT_THAT(at.seen, ElementsAre(kMinTimestamp, kMinTimestamp, 49));
}

/// Both sides; says the watermark.
class TwoSided final : public CoProcessFunction<int, int, Timestamp> {
 public:
  void process_element1(const int&, Context& context, Collector<Timestamp>& to) override {
    to.collect(context.timer_service().current_watermark());
  }
  void process_element2(const int&, Context&, Collector<Timestamp>&) override {}
};

TEST(JobWatermarks, AnIdleSourceDoesNotHoldEventTimeBack) {  // WM-09, WM-11, CO-05
  Environment env;
  std::vector<Timestamp> seen;
  env.from_source<int>("left")
      .connect(env.from_source<int>("right"))
      .process<TwoSided>()
      .uid("two")
      .sink_to([&](const Timestamp& watermark) { seen.push_back(watermark); });
  const auto job = std::move(Job::start(env, {})).value();
  job->emit_watermark("left", 10);
  job->emit("left", 1);
  job->set_idle("right", true);
  job->emit("left", 1);
  job->set_idle("right", false);
  job->emit_watermark("left", 20);
  job->emit("left", 1);
  job->emit_watermark("right", 15);
  job->emit("left", 1);
  EXPECT_THAT(seen, ElementsAre(kMinTimestamp, 10, 10, 15));
}

}  // namespace
}  // namespace sluice
