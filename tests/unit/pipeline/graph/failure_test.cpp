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
  build({.element = [](Probe&, const Item&, Probe::Base::Context& context, Probe::Out&) {
           context.timer_service().register_event_time_timer(10);
         },
         .timer = [](Probe&, Timestamp, Probe::Base::OnTimerContext&, Probe::Out&) {
           throw std::runtime_error{"too late"};
         }});
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
  build({.element = [](Probe&, const Item&, Probe::Base::Context& context, Probe::Out&) {
           context.timer_service().register_event_time_timer(10);
         },
         .timer = [&](Probe&, Timestamp, Probe::Base::OnTimerContext&, Probe::Out& to) {
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
