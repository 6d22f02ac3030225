// Broadcast process functions in a job: BC-01, 04, 07, 09, 11, 12, 14, 18, CX-06.
#include "pipeline/functions/broadcast_process_functions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "pipeline/graph/stream.hpp"

namespace sluice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const BroadcastStateDescriptor<std::string, int> kRules{"rules"};
const BroadcastStateDescriptor<int, int> kOther{"other"};
const ValueStateDescriptor<std::int64_t> kSum{.name = "sum"};
using Item = std::pair<std::string, std::int64_t>;

/// Sums its elements by key; what the broadcast side does is the test's to say.
class Rules final : public KeyedBroadcastProcessFunction<std::string, Item, int, std::string> {
 public:
  using Do = std::function<void(Rules&, int, Context&, Collector<std::string>&)>;
  explicit Rules(Do on_broadcast) : on_broadcast_{std::move(on_broadcast)} {}
  void open(RuntimeContext& context) override { sum = context.value_state(kSum); }
  void process_element(const Item& item, ReadOnlyContext& context,
                       Collector<std::string>& to) override {
    sum.update(sum.value().value_or(0) + item.second);
    context.timer_service().register_event_time_timer(10);
    to.collect(context.current_key() + "=" + std::to_string(*sum.value()));
  }
  void process_broadcast_element(const int& value, Context& context,
                                 Collector<std::string>& to) override {
    on_broadcast_(*this, value, context, to);
  }
  void on_timer(Timestamp, OnTimerContext& context, Collector<std::string>& to) override {
    to.collect(context.current_key() + " at rule " +
               std::to_string(context.broadcast_state(kRules).get("rule").value_or(0)));
  }
  ValueState<std::int64_t> sum;

 private:
  Do on_broadcast_;
};

class Broadcast : public testing::Test {
 protected:
  void run(Rules::Do on_broadcast) {
    env_.from_source<Item>("in")
        .key_by(&Item::first)
        .connect(env_.from_source<int>("rules").broadcast(kRules, kOther))
        .process<Rules>(std::move(on_broadcast))
        .uid("rules")
        .sink_to([this](const std::string& text, OptionalTimestamp at) {
          out.push_back(text);
          times.push_back(at);
        });
    restart({});
  }
  void restart(JobOptions options) {
    auto started = Job::start(env_, options);
    ASSERT_TRUE(started);
    job = std::move(started).value();
  }
  void fill() {
    for (const char* key : {"a", "b", "c"}) job->emit("in", Item{key, 1});
    out.clear();
    times.clear();
  }
  std::string failure(int value) {
    try {
      job->emit("rules", value);
    } catch (const OperatorFailure& failure) {
      EXPECT_EQ(failure.key(), "") << "the broadcast side has none";
      return failure.cause();
    }
    return "";
  }

 private:
  Environment env_;

 protected:
  std::unique_ptr<Job> job;
  std::vector<std::string> out;
  std::vector<OptionalTimestamp> times;
};

TEST_F(Broadcast, KeyedStateOnTheBroadcastSideIsRefusedBeforeAndAfterElements) {  // BC-11, KS-04
  run([](Rules& rules, int, Rules::Context&, Collector<std::string>&) { (void)rules.sum.value(); });
  EXPECT_THAT(failure(1), HasSubstr("no key set"));
  job->emit("in", Item{"a", 1});
  EXPECT_THAT(failure(1), HasSubstr("no key set"));
}

TEST_F(Broadcast, ApplyVisitsEachKeyThatHasTheStateAndMayChangeIt) {  // BC-12
  run([](Rules&, int value, Rules::Context& context, Collector<std::string>& to) {
    context.apply_to_keyed_state(kSum, [&](const std::string& key, ValueState<std::int64_t> sum) {
      to.collect(key + ":" + std::to_string(*sum.value()));
      value == 0 ? sum.clear() : sum.update(value);
    });
  });
  fill();
  job->emit("rules", 50, 7);
  EXPECT_THAT(out, UnorderedElementsAre("a:1", "b:1", "c:1"));
  EXPECT_THAT(times, testing::Each(OptionalTimestamp{7}));
  out.clear();
  job->emit("in", Item{"b", 1});
  job->emit("rules", 0);
  EXPECT_THAT(out, UnorderedElementsAre("b=51", "a:50", "b:51", "c:50"));
  out.clear();
  job->emit("rules", 0);
  EXPECT_THAT(out, IsEmpty()) << "cleared entries are not visited";
}

TEST_F(Broadcast, ApplyThatThrowsLeavesNoKeyBehind) {  // BC-11, BC-12
  run([](Rules&, int, Rules::Context& context, Collector<std::string>&) {
    context.apply_to_keyed_state(
        kSum, [](const std::string&, ValueState<std::int64_t>) { throw std::runtime_error{"no"}; });
  });
  fill();
  EXPECT_EQ(failure(1), "no");
}

TEST_F(Broadcast, TimersReadTheStateOfWhenTheyFire) {  // BC-01, BC-14, BC-13
  run([](Rules&, int value, Rules::Context& context, Collector<std::string>&) {
    context.broadcast_state(kRules).put("rule", value);
  });
  job->emit("rules", 1);
  fill();
  job->emit("rules", 2);
  job->emit_watermark("in", 10);
  EXPECT_THAT(out, IsEmpty()) << "the broadcast side holds event time back";
  job->set_idle("rules", true);
  EXPECT_THAT(out, UnorderedElementsAre("a at rule 2", "b at rule 2", "c at rule 2"));
}

TEST_F(Broadcast,
       ClearingAndFillingInOneElementIsOneStepAndComesBackFromASnapshot) {  // BC-07, BC-09
  run([](Rules&, int value, Rules::Context& context, Collector<std::string>& to) {
    auto rules = context.broadcast_state(kRules);
    auto other = context.broadcast_state(kOther);  // BC-18
    to.collect(std::to_string(rules.entries().size()) + " " +
               std::to_string(other.entries().size()));
    rules.clear();
    rules.put_all({{"rule", value}, {"second", value}});
    other.put(value, value);
  });
  job->emit("rules", 1);
  job->emit("rules", 2);
  MemorySnapshot snapshot;
  job->snapshot(snapshot, true, 1);
  job->emit("rules", 3);
  restart({.restore = &snapshot.job()});
  job->emit("rules", 4);
  EXPECT_THAT(out, ElementsAre("0 0", "2 1", "2 2", "2 2"));
}

TEST_F(Broadcast, OnlyStatesNamedWithTheBroadcastExist) {  // BC-04
  run([](Rules&, int value, Rules::Context& context, Collector<std::string>&) {
    if (value == 1) {
      (void)context.broadcast_state(BroadcastStateDescriptor<int, int>{"unknown"});
    } else {
      (void)context.broadcast_state(BroadcastStateDescriptor<int, int>{"rules"});  // another type
    }
  });
  EXPECT_THAT(failure(1), HasSubstr("no broadcast state 'unknown'"));
  EXPECT_THAT(failure(2), HasSubstr("'rules' of this type"));
}

TEST_F(Broadcast, AnElementWithoutTimeHasTheSmallestAndItsResultsHaveNone) {  // CX-06
  run([](Rules&, int, Rules::Context& context, Collector<std::string>& to) {
    to.collect(context.timestamp() == kMinTimestamp ? "smallest" : "other");
  });
  job->emit("rules", 1);
  EXPECT_THAT(out, ElementsAre("smallest"));
  EXPECT_THAT(times, ElementsAre(std::nullopt));
}

}  // namespace
}  // namespace sluice
