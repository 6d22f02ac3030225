// Contexts, and the time of what is emitted: CX-01..08, SO-01..07, TM-20, KS-05.
#include "pipeline/functions/contexts.hpp"

#include "tests/unit/pipeline/graph/probe.hpp"

namespace sluice {
namespace {

using test::Item;
using test::Probe;
using test::ProbeTest;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Contexts : public ProbeTest {
 protected:
  const OutputTag<std::string> side_tag{"side"};
  std::vector<OptionalTimestamp> side_times;
  void watch_side(const Stream<std::string>& stream) {
    stream.side_output(side_tag).sink_to(
        [this](const std::string&, OptionalTimestamp at) { side_times.push_back(at); });
  }
};

TEST_F(Contexts, ResultsCarryTheTimeOfTheirElement) {  // CX-01, CX-02, SO-02, SO-04
  watch_side(
      build({.element = [this](Probe&, const Item&, Probe::Base::Context& context, Probe::Out& to) {
        to.collect(context.timestamp() ? std::to_string(*context.timestamp()) : "none");
        context.output(side_tag, std::string{});
      }}));
  const auto job = start();
  job->emit("in", Item{"a", 0}, -7);
  job->emit("in", Item{"a", 0});
  EXPECT_THAT(out, ElementsAre("-7", "none"));
  EXPECT_THAT(times, ElementsAre(OptionalTimestamp{-7}, std::nullopt));
  EXPECT_THAT(side_times, ElementsAre(OptionalTimestamp{-7}, OptionalTimestamp{kMinTimestamp}));
}

TEST_F(Contexts, ResultsOfTimersCarryTheTimersTimeInEventTimeOnly) {  // CX-03, CX-04, CX-05
  watch_side(build(
      {.element =
           [](Probe&, const Item&, Probe::Base::Context& context, Probe::Out&) {
             context.timer_service().register_event_time_timer(30);
             context.timer_service().register_processing_time_timer(40);
           },
       .timer =
           [this](Probe&, Timestamp at, Probe::Base::OnTimerContext& context, Probe::Out& to) {
             EXPECT_EQ(context.timestamp(), at);
             to.collect("timer");
             context.output(side_tag, std::string{});
           }}));
  const auto job = start();
  job->emit("in", Item{"a", 0}, 1);
  job->emit_watermark("in", 35);
  job->advance_processing_time(41);
  EXPECT_THAT(times, ElementsAre(OptionalTimestamp{30}, std::nullopt));
  EXPECT_THAT(side_times, ElementsAre(OptionalTimestamp{30}, OptionalTimestamp{40}));
}

TEST_F(Contexts, AContextUsedAfterItsCallSaysSo) {  // CX-07
  Probe::Base::Context* kept = nullptr;
  Probe::Base::OnTimerContext* kept_timer = nullptr;
  build({.element =
             [&](Probe&, const Item&, Probe::Base::Context& context, Probe::Out&) {
               kept = &context;
               context.timer_service().register_event_time_timer(1);
             },
         .timer = [&](Probe&, Timestamp, Probe::Base::OnTimerContext& context,
                      Probe::Out&) { kept_timer = &context; }});
  const auto job = start();
  job->emit("in", Item{"a", 0}, 5);
  job->emit_watermark("in", 1);
  EXPECT_THROW((void)kept->timestamp(), IllegalState);
  EXPECT_THROW((void)kept_timer->timestamp(), IllegalState);
  EXPECT_THROW((void)kept_timer->time_domain(), IllegalState);
}

TEST_F(Contexts, CollectRunsTheNextOperatorBeforeItReturns) {  // CX-08
  build({.element = [this](Probe&, const Item&, Probe::Base::Context&, Probe::Out& to) {
    for (const char* text : {"one", "two"}) {
      to.collect(text);
      EXPECT_EQ(out.back(), text);
    }
  }});
  start()->emit("in", Item{"a", 0});
  EXPECT_THAT(out, ElementsAre("one", "two"));
}

TEST_F(Contexts, ATagNobodyAskedForIsDropped) {  // SO-07
  build({.element = [](Probe&, const Item&, Probe::Base::Context& context, Probe::Out& to) {
    context.output(OutputTag<int>{"unknown"}, 5);
    to.collect("went on");
  }});
  start()->emit("in", Item{"a", 0});
  EXPECT_THAT(out, ElementsAre("went on"));
}

TEST_F(Contexts, TheIdIsTheTag) {  // SO-01, SO-05
  watch_side(build({.element = [](Probe&, const Item&, Probe::Base::Context& context, Probe::Out&) {
    context.output(OutputTag<std::string>{"side"}, std::string{"made elsewhere"});
  }}));
  start()->emit("in", Item{"a", 0}, 1);
  EXPECT_THAT(side_times, ElementsAre(OptionalTimestamp{1}));
  EXPECT_THAT(out, IsEmpty()) << "not to the main output";
}

TEST_F(Contexts, EmittingAnotherTypeUnderAnIdFails) {  // SO-05
  watch_side(build({.element = [](Probe&, const Item&, Probe::Base::Context& context, Probe::Out&) {
    context.output(OutputTag<int>{"side"}, 5);
  }}));
  const auto job = start();
  EXPECT_THROW(job->emit("in", Item{"a", 0}), OperatorFailure);
}

/// Tries what needs a key.
class Unkeyed final : public ProcessFunction<std::string, std::string> {
 public:
  void process_element(const std::string& what, Context& context,
                       Collector<std::string>& to) override {
    auto& timers = context.timer_service();
    if (what == "clocks") {
      to.collect(std::to_string(timers.current_watermark() == kMinTimestamp) +
                 std::to_string(timers.current_processing_time()));
    } else if (what == "set") {
      timers.register_event_time_timer(1);
    } else if (what == "delete") {
      timers.delete_processing_time_timer(1);
    } else {
      (void)runtime_context().value_state<int>({.name = "last"});
    }
  }
};

TEST(UnkeyedStreams, HaveClocksAndNeitherTimersNorKeyedState) {  // TM-20, KS-05
  Environment env;
  std::vector<std::string> out;
  env.from_source<std::string>("in").process<Unkeyed>().uid("plain").sink_to(
      [&](const std::string& text) { out.push_back(text); });
  const auto job = std::move(Job::start(env, {.start_time = 5})).value();
  job->emit("in", std::string{"clocks"});
  EXPECT_THAT(out, ElementsAre("15"));
  const auto cause = [&](const std::string& what) -> std::string {
    try {
      job->emit("in", what);
    } catch (const OperatorFailure& failure) {
      EXPECT_EQ(failure.uid(), "plain");
      EXPECT_EQ(failure.key(), "");
      return failure.cause();
    }
    return "";
  };
  EXPECT_THAT(cause("set"), HasSubstr("timers need a keyed stream"));
  EXPECT_THAT(cause("delete"), HasSubstr("timers need a keyed stream"));
  EXPECT_THAT(cause("state"), HasSubstr("keyed state 'last' can only be used on a keyed stream"));
}

}  // namespace
}  // namespace sluice
