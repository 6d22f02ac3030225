// Exceptions of user code: what is said about them, and what a restart is like (RR-01, RR-03,
// TM-26, KS-07).
#include "pipeline/graph/runner.hpp"
#include "tests/unit/pipeline/graph/probe.hpp"

namespace sluice {
namespace {

using test::Item;
using test::Probe;
using test::ProbeTest;
using testing::ElementsAre;
using testing::HasSubstr;

template <class F>
OperatorFailure failure_of(F&& f) {
  try {
    f();
  } catch (const OperatorFailure& failure) {
    return failure;
  }
  return {"", "", "nothing was thrown"};
}

class Failure : public ProbeTest {};

class Nothing final : public ProcessFunction<Item, Item> {
 public:
  void process_element(const Item&, Context&, Collector<Item>&) override {}
};

TEST_F(Failure, NamesOperatorKeyAndCause) {  // RR-01
  build({.element = [](Probe&, const Item&, Probe::Base::Context&, Probe::Out&) {
    throw std::runtime_error{"no such station"};
  }});
  const auto job = start();
  const auto failure = failure_of([&] { job->emit("in", Item{"river-7", 0}); });
  EXPECT_EQ(failure.uid(), "probe");
  EXPECT_EQ(failure.key(), "\"river-7\"");
  EXPECT_EQ(failure.cause(), "no such station");
  EXPECT_THAT(failure.what(), HasSubstr("operator 'probe', key '\"river-7\"': no such station"));
}

TEST_F(Failure, OfATimerNamesTheTimersKey) {  // TM-26
  build({.element = [](Probe&, const Item&, Probe::Base::Context& context,
                       Probe::Out&) { context.timer_service().register_event_time_timer(10); },
         .timer = [](Probe&, Timestamp, Probe::Base::OnTimerContext&,
                     Probe::Out&) { throw std::runtime_error{"too late"}; }});
  const auto job = start();
  job->emit("in", Item{"a", 0});
  const auto failure = failure_of([&] { job->emit_watermark("in", 10); });
  EXPECT_EQ(failure.key(), "\"a\"");
  EXPECT_EQ(failure.cause(), "too late");
}

TEST_F(Failure, DownstreamIsReportedAsWhatFailedThere) {
  const auto stream = build({.element = [](Probe&, const Item&, Probe::Base::Context&,
                                           Probe::Out& to) { to.collect("x"); }});
  stream.map([](const std::string&) -> int { throw std::runtime_error{"cannot map"}; })
      .name("mapping");
  const auto job = start();
  const auto failure = failure_of([&] { job->emit("in", Item{"a", 0}); });
  EXPECT_EQ(failure.uid(), "mapping") << "without a uid the name says where";
  EXPECT_EQ(failure.key(), "");
}

TEST_F(Failure, WhatIsNoExceptionIsReportedToo) {
  build({.element = [](Probe&, const Item&, Probe::Base::Context&, Probe::Out&) { throw 42; }});
  const auto job = start();
  const auto failure = failure_of([&] { job->emit("in", Item{"a", 0}); });
  EXPECT_THAT(failure.cause(), HasSubstr("no std::exception"));
}

TEST_F(Failure, AThrowingProjectionFailsTheOperatorItLeadsTo) {  // KS-07 likewise
  env.from_source<Item>("in")
      .key_by([](const Item& item) -> std::optional<std::string> {
        if (item.value == 1) throw std::runtime_error{"no key in here"};
        return item.value == 2 ? std::nullopt : std::optional{item.key};
      })
      .process<Nothing>()
      .uid("keyed");
  const auto job = start();
  job->emit("in", Item{"a", 0});
  EXPECT_EQ(failure_of([&] { job->emit("in", Item{"a", 1}); }).cause(), "no key in here");
  EXPECT_THAT(failure_of([&] { job->emit("in", Item{"a", 2}); }).cause(), HasSubstr("null"));
}

TEST_F(Failure, AFailedTimerIsPendingAgainAfterTheRestore) {  // TM-26
  bool broken = true;
  build({.element = [](Probe&, const Item&, Probe::Base::Context& context,
                       Probe::Out&) { context.timer_service().register_event_time_timer(10); },
         .timer =
             [&](Probe&, Timestamp, Probe::Base::OnTimerContext&, Probe::Out& to) {
               if (broken) throw std::runtime_error{"not yet"};
               to.collect("fired");
             }});
  MemorySnapshot snapshot;
  {
    const auto job = start();
    job->emit("in", Item{"a", 0});
    job->snapshot(snapshot, true, 1);
    EXPECT_THROW(job->emit_watermark("in", 10), OperatorFailure);
  }
  broken = false;
  start({.restore = &snapshot.job()})->emit_watermark("in", 10);
  EXPECT_THAT(out, ElementsAre("fired"));
}

/// Counts its elements by key; fails the snapshots that it is told to, or uses keyed state in them.
class Snapshotting final : public KeyedProcessFunction<std::string, Item, std::string>,
                           public CheckpointedFunction {
 public:
  explicit Snapshotting(std::function<void(std::uint64_t, ValueState<int>)> on_snapshot)
      : on_snapshot_{std::move(on_snapshot)} {}
  void initialize_state(FunctionInitializationContext&) override {}
  void open(RuntimeContext& context) override {
    count_ = context.value_state<int>({.name = "count"});
  }
  void process_element(const Item&, Context&, Collector<std::string>& to) override {
    count_.update(count_.value().value_or(0) + 1);
    to.collect(std::to_string(*count_.value()));
  }
  void snapshot_state(std::uint64_t id) override { on_snapshot_(id, count_); }

 private:
  std::function<void(std::uint64_t, ValueState<int>)> on_snapshot_;
  ValueState<int> count_;
};

class FailingSnapshot : public ProbeTest {
 protected:
  Result<RunReport> run(std::function<void(std::uint64_t, ValueState<int>)> on_snapshot) {
    env.from_collection<Item>("items", {{"a", 1}, {"a", 2}, {"a", 3}})
        .key_by(&Item::key)
        .process<Snapshotting>(std::move(on_snapshot))
        .uid("counting")
        .sink_to([this](const std::string& text) { out.push_back(text); });
    return run_job(env, {.checkpoint_every = 1, .restart = fixed_delay_restart(1, Duration{0})});
  }
};

TEST_F(FailingSnapshot, RestartsTheJobFromTheOneBefore) {  // RR-01
  bool failed = false;
  const auto report = run([&](std::uint64_t id, ValueState<int>) {
    if (id == 2 && !std::exchange(failed, true)) throw std::runtime_error{"disk full"};
  });
  ASSERT_TRUE(report);
  EXPECT_EQ(report->restarts, 1U);
  EXPECT_EQ(report->checkpoints, 3U);
  EXPECT_THAT(out, ElementsAre("1", "2", "2", "3"));
}

TEST_F(FailingSnapshot, HasNoCurrentKey) {  // KS-04
  const auto report = run([](std::uint64_t, ValueState<int> count) { (void)count.value(); });
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message(), HasSubstr("operator 'counting': no key set"));
}

TEST_F(FailingSnapshot, PutsTheKeyBackForWhatComesNext) {
  const auto report = run([](std::uint64_t, ValueState<int>) {});
  ASSERT_TRUE(report);
  EXPECT_THAT(out, ElementsAre("1", "2", "3"));
}

class FailsAtTheEnd final : public SinkFunction<Item> {
 public:
  void invoke(const Item&, OptionalTimestamp) override {}
  void finish() override { throw std::runtime_error{"cannot flush"}; }
};

TEST_F(Failure, OfFinishIsReportedLikeOthers) {  // RF-02
  env.from_collection<Item>("items", {{"a", 1}}).sink_to<FailsAtTheEnd>().name("file");
  const auto report = run_job(env);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message(), HasSubstr("operator 'file': cannot flush"));
}

/// A generator of one's own, with a mistake in it.
class FailingGenerator final : public WatermarkGenerator<Item> {
 public:
  void on_event(const Item&, Timestamp, WatermarkOutput&) override {}
  void on_periodic_emit(Timestamp, WatermarkOutput&) override {
    throw std::runtime_error{"no idea of time"};
  }
};

TEST_F(Failure, OfAWatermarkGeneratorIsReportedLikeOthers) {
  env.from_source<Item>("in").assign_timestamps_and_watermarks(
      WatermarkStrategy<Item>::for_generator([] { return std::make_unique<FailingGenerator>(); }));
  const auto job = start();
  EXPECT_EQ(failure_of([&] { job->advance_processing_time(200); }).cause(), "no idea of time");
}

TEST_F(Failure, ARestartHasNewFunctionsANewAttemptNoWatermarkAndRewoundInputs) {  // RR-03
  struct Life {
    int elements{0};  // of this function object
  };
  auto lives = std::make_shared<std::vector<Life>>();
  Probe::Script script;
  script.open = [lives](Probe&, RuntimeContext&) { lives->emplace_back(); };
  script.element = [lives](Probe& probe, const Item& item, Probe::Base::Context& context,
                           Probe::Out& to) {
    const auto attempt = probe.runtime_context().task().attempt;
    ++lives->back().elements;
    if (item.value == 3 && attempt == 0) throw std::runtime_error{"once"};
    EXPECT_EQ(context.timer_service().current_watermark(), kMinTimestamp);
    to.collect(std::to_string(item.value) + " in attempt " + std::to_string(attempt));
  };
  env.from_collection<Item>("items", {{"a", 1}, {"a", 2}, {"a", 3}})
      .key_by(&Item::key)
      .process<Probe>(std::move(script))
      .uid("probe")
      .sink_to([this](const std::string& text) { out.push_back(text); });
  ASSERT_TRUE(run_job(env, {.checkpoint_every = 1}));
  EXPECT_THAT(out, ElementsAre("1 in attempt 0", "2 in attempt 0", "3 in attempt 1"));
  ASSERT_EQ(lives->size(), 2U);
  EXPECT_EQ(lives->back().elements, 1) << "rewound to the snapshot, no further";
}

}  // namespace
}  // namespace sluice
