// Environment::validate: what a graph needs before it may run (CP-07), and what does not compile.
#include "pipeline/graph/environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/graph/stream.hpp"

namespace sluice {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Item {
  std::string key;
  int value{};
};

class Pass final : public ProcessFunction<Item, Item> {
 public:
  void process_element(const Item& item, Context&, Collector<Item>& out) override {
    out.collect(item);
  }
};

class Keyed final : public KeyedProcessFunction<std::string, Item, Item> {
 public:
  void process_element(const Item& item, Context&, Collector<Item>& out) override {
    out.collect(item);
  }
};

std::string problems(const Environment& environment) {
  const Status status = environment.validate();
  return status ? "" : status.error().message();
}

TEST(Environment, AGraphWithUidsWhereTheyAreNeededIsValid) {
  Environment env;
  env.from_source<Item>("in")
      .map([](const Item& item) { return item; })
      .filter([](const Item&) { return true; })
      .key_by(&Item::key)
      .process<Keyed>()
      .uid("keyed")
      .sink_to([](const Item&) {});
  EXPECT_EQ(problems(env), "");
}

TEST(Environment, AnEmptyGraphIsValid) { EXPECT_EQ(problems(Environment{}), ""); }

TEST(Environment, AStatefulOperatorNeedsAUid) {  // CP-07
  Environment env;
  env.from_source<Item>("in").process<Pass>().name("counting");
  EXPECT_THAT(problems(env), AllOf(HasSubstr("'counting'"), HasSubstr("needs a uid")));
}

TEST(Environment, AUidIsUsedOnce) {  // CP-07
  Environment env;
  const auto in = env.from_source<Item>("in");
  (void)in.process<Pass>().uid("x").name("first");
  in.map([](const Item& item) { return item; }).uid("x").name("second");
  EXPECT_THAT(problems(env),
              AllOf(HasSubstr("'first'"), HasSubstr("'second'"), HasSubstr("same uid 'x'")));
}

TEST(Environment, ASourceNameIsUsedOnce) {
  Environment env;
  (void)env.from_source<Item>("in");
  (void)env.from_source<int>("in");
  EXPECT_THAT(problems(env), HasSubstr("two sources named 'in'"));
}

TEST(Environment, AllProblemsAreNamedAtOnceAndStartRefusesWithThem) {
  Environment env;
  const auto in = env.from_source<Item>("in");
  (void)in.process<Pass>().name("first");
  (void)in.process<Pass>().name("second");
  EXPECT_THAT(problems(env), AllOf(HasSubstr("'first'"), HasSubstr("'second'"), HasSubstr("; ")));
  const auto job = Job::start(env, {});
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().code(), ErrorCode::kInvalid);
}

TEST(Environment, ASideOutputOfAnotherTypeIsRefusedWhenTheGraphIsBuilt) {  // SO-05
  Environment env;
  const auto stream = env.from_source<Item>("in").process<Pass>().uid("x");
  (void)stream.side_output(OutputTag<int>{"late"});
  (void)stream.side_output(OutputTag<int>{"late"});
  EXPECT_THROW((void)stream.side_output(OutputTag<double>{"late"}), UnsupportedOperation);
  (void)env.from_source<Item>("other").process<Pass>().uid("y").side_output(
      OutputTag<double>{"late"});  // of another operator
}

TEST(Environment, AnOutputTagNeedsAnId) {  // SO-06
  EXPECT_THROW(OutputTag<int>{""}, InvalidArgument);
  EXPECT_EQ(OutputTag<int>{"late"}.id(), "late");
}

TEST(Environment, MoreInstancesThanKeyGroupsAreRefused) {
  Environment env;
  env.set_max_parallelism(4);
  env.from_source<Item>("in").process<Pass>().uid("x").set_parallelism(5);
  const auto job = Job::start(env, {});
  ASSERT_FALSE(job);
  EXPECT_THAT(job.error().message(), HasSubstr("more than its max parallelism 4"));
}

TEST(Environment, NumbersOfInstancesAndKeyGroupsHaveTheirBounds) {
  Environment env;
  env.set_max_parallelism(32769);
  env.from_source<Item>("in").process<Pass>().uid("x").name("first").set_parallelism(0);
  EXPECT_THAT(problems(env), AllOf(HasSubstr("'first' has parallelism 0"),
                                   HasSubstr("is 32769, but at most 32768")));
}

TEST(Environment, StreamsOfAnotherOneAreRefused) {
  Environment env;
  Environment other;
  const auto here = env.from_source<Item>("in");
  const auto there = other.from_source<Item>("in");
  const BroadcastStateDescriptor<int, int> state{"state"};
  EXPECT_THROW((void)here.union_with(there), InvalidArgument);
  EXPECT_THROW((void)here.connect(there), InvalidArgument);
  EXPECT_THROW((void)here.connect(there.broadcast(state)), InvalidArgument);
  EXPECT_THROW((void)here.key_by(&Item::key).connect(there.key_by(&Item::key)), InvalidArgument);
  EXPECT_THROW((void)here.key_by(&Item::key).connect(there.broadcast(state)), InvalidArgument);
}

TEST(Environment, ASourceKeepsTheNameItIsFedBy) {
  Environment env;
  EXPECT_THROW((void)env.from_source<Item>("in").name("readings"), UnsupportedOperation);
  EXPECT_EQ(env.nodes().front().name, "in");
}

// RF-06: every process function is a rich one.
static_assert(std::is_base_of_v<RichFunction, ProcessFunction<int, int>>);
static_assert(std::is_base_of_v<RichFunction, KeyedProcessFunction<int, int, int>>);
static_assert(std::is_base_of_v<RichFunction, CoProcessFunction<int, int, int>>);
static_assert(std::is_base_of_v<RichFunction, KeyedCoProcessFunction<int, int, int, int>>);
static_assert(std::is_base_of_v<RichFunction, BroadcastProcessFunction<int, int, int>>);
static_assert(std::is_base_of_v<RichFunction, KeyedBroadcastProcessFunction<int, int, int, int>>);

// BC-14: only the keyed broadcast function has timers, and only on its main side.
template <class C>
concept HasTimers = requires(C& context) {
  context.timer_service();
};
using KeyedRules = KeyedBroadcastProcessFunction<int, int, int, int>;
using PlainRules = BroadcastProcessFunction<int, int, int>;
static_assert(HasTimers<KeyedRules::ReadOnlyContext> && HasTimers<KeyedRules::OnTimerContext>);
static_assert(!HasTimers<KeyedRules::Context>);
static_assert(!HasTimers<PlainRules::ReadOnlyContext> && !HasTimers<PlainRules::Context>);

}  // namespace
}  // namespace sluice
