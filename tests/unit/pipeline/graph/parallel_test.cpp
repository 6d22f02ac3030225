// Several instances of an operator: who gets which element, and what moves when their number
// changes (KS-08, KS-12, TM-18, BC-10, BC-15, WM-15).
#include <map>
#include <set>

#include "tests/unit/pipeline/graph/probe.hpp"

namespace sluice {
namespace {

using test::Item;
using test::Probe;
using test::ProbeTest;
using testing::ElementsAre;
using testing::SizeIs;

std::string sensor(int i) { return "sensor-" + std::to_string(i); }

class Parallel : public ProbeTest {
 protected:
  /// Sums by key and sets a timer; says which instance it was.
  static Probe::Script sums() {
    return {
        .element =
            [](Probe& probe, const Item& item, Probe::Base::Context& context, Probe::Out& to) {
              probe.sum.update(probe.sum.value().value_or(0) + item.value);
              context.timer_service().register_event_time_timer(100);
              to.collect(item.key + "=" + std::to_string(*probe.sum.value()) + " by " + by(probe));
            },
        .timer = [](Probe& probe, Timestamp, Probe::Base::OnTimerContext& context,
                    Probe::Out& to) { to.collect(context.current_key() + " by " + by(probe)); }};
  }
  static std::string by(const Probe& probe) {
    return std::to_string(probe.runtime_context().task().subtask);
  }
  static std::string owner(const std::string& key, std::uint32_t parallelism) {
    return std::to_string(
        subtask_of(key_group_of(java_hash(std::string_view{key}), 128), parallelism, 128));
  }
  std::vector<std::string> take() { return std::exchange(out, {}); }
};

TEST_F(Parallel, KeysGoToTheInstanceThatOwnsTheirGroup) {  // KS-08, KS-12
  build(sums()).set_parallelism(4);
  const auto job = start();
  std::set<std::string> owners;
  for (int i = 0; i < 100; ++i) {
    job->emit("in", Item{sensor(i), 1});
    job->emit("in", Item{sensor(i), 1});
    owners.insert(owner(sensor(i), 4));
    EXPECT_THAT(take(), ElementsAre(sensor(i) + "=1 by " + owner(sensor(i), 4),
                                    sensor(i) + "=2 by " + owner(sensor(i), 4)));
  }
  EXPECT_THAT(owners, SizeIs(4));
}

TEST_F(Parallel, RescalingMovesStateAndTimersWithTheirGroup) {  // KS-08, TM-18
  for (const auto& [before, now] : {std::pair{1U, 3U}, std::pair{4U, 2U}, std::pair{3U, 5U}}) {
    env.nodes().clear();
    const auto stream = build(sums());
    (void)stream.set_parallelism(before);
    MemorySnapshot snapshot;
    {
      const auto job = start();
      for (int i = 0; i < 50; ++i) job->emit("in", Item{sensor(i), i});
      job->snapshot(snapshot, true, 1);
    }
    (void)stream.set_parallelism(now);
    const auto job = start({.restore = &snapshot.job()});
    take();
    job->emit_watermark("in", 100);
    std::vector<std::string> expected;
    for (int i = 0; i < 50; ++i) expected.push_back(sensor(i) + " by " + owner(sensor(i), now));
    EXPECT_THAT(take(), testing::UnorderedElementsAreArray(expected));
    for (int i = 0; i < 50; ++i) {
      job->emit("in", Item{sensor(i), 1});
      EXPECT_THAT(take(), ElementsAre(sensor(i) + "=" + std::to_string(i + 1) + " by " +
                                      owner(sensor(i), now)));
    }
  }
}

/// Says which instance it is.
class Instance final : public ProcessFunction<int, std::string> {
 public:
  void process_element(const int& value, Context& context, Collector<std::string>& to) override {
    to.collect(std::to_string(value) + " by " + std::to_string(runtime_context().task().subtask) +
               " at " + std::to_string(context.timer_service().current_watermark()));
  }
};

TEST_F(Parallel, WithoutAKeyElementsGoRoundWhereTheNumbersDiffer) {
  env.from_source<int>("in").process<Instance>().uid("i").set_parallelism(3).sink_to(
      [this](const std::string& text) { out.push_back(text.substr(0, 6)); });
  const auto job = start();
  for (int i = 0; i < 5; ++i) job->emit("in", i);
  EXPECT_THAT(out, ElementsAre("0 by 0", "1 by 1", "2 by 2", "3 by 0", "4 by 1"));
}

TEST_F(Parallel, WhereTheNumbersAreTheSameEachInstanceKeepsItsElements) {
  env.from_source<int>("in")
      .map([](int value) { return value; })
      .set_parallelism(2)
      .process<Instance>()
      .uid("i")
      .set_parallelism(2)
      .sink_to([this](const std::string& text) { out.push_back(text.substr(0, 6)); });
  const auto job = start();
  for (int i = 0; i < 4; ++i) job->emit("in", i);
  EXPECT_THAT(out, ElementsAre("0 by 0", "1 by 1", "2 by 0", "3 by 1"));
}

TEST_F(Parallel, AUnionHasAllElementsAndTheLowestWatermark) {  // WM-15
  env.from_source<int>("left")
      .union_with(env.from_source<int>("right"))
      .process<Instance>()
      .uid("i")
      .sink_to([this](const std::string& text) { out.push_back(text); });
  const auto job = start();
  job->emit_watermark("left", 20);
  job->emit_watermark("right", 10);
  job->emit("left", 1);
  job->emit("right", 2);
  job->set_idle("right", true);
  job->emit("left", 3);
  EXPECT_THAT(out, ElementsAre("1 by 0 at 10", "2 by 0 at 10", "3 by 0 at 20"));
}

TEST_F(Parallel, AStreamMayBeUnitedWithItself) {
  const auto in = env.from_source<int>("in");
  in.union_with(in).sink_to([this](const int& value) { out.push_back(std::to_string(value)); });
  const auto job = start();
  job->emit("in", 1);
  EXPECT_THAT(out, ElementsAre("1", "1"));
}

const BroadcastStateDescriptor<std::string, int> kLimits{"limits"};

/// Says the limit that its instance has.
class Limits final : public BroadcastProcessFunction<int, int, std::string> {
 public:
  void process_element(const int&, ReadOnlyContext& context, Collector<std::string>& to) override {
    const auto limit = context.broadcast_state(kLimits).get("limit");
    to.collect(std::to_string(runtime_context().task().subtask) + " has " +
               (limit ? std::to_string(*limit) : "none"));
  }
  void process_broadcast_element(const int& limit, Context& context,
                                 Collector<std::string>&) override {
    context.broadcast_state(kLimits).put("limit", limit);
  }
};

TEST_F(Parallel, BroadcastElementsReachAllInstancesAndComeBackToNewOnes) {  // BC-10, BC-15
  const auto stream = env.from_source<int>("in")
                          .connect(env.from_source<int>("limits").broadcast(kLimits))
                          .process<Limits>()
                          .uid("limits")
                          .set_parallelism(2);
  stream.sink_to([this](const std::string& text) { out.push_back(text); });
  MemorySnapshot snapshot;
  {
    const auto job = start();
    job->emit("in", 0);
    job->emit("limits", 7);
    for (int i = 0; i < 2; ++i) job->emit("in", 0);
    job->snapshot(snapshot, true, 1);
  }
  EXPECT_THAT(take(), ElementsAre("0 has none", "1 has 7", "0 has 7"));  // BC-02
  (void)stream.set_parallelism(3);
  const auto job = start({.restore = &snapshot.job()});
  for (int i = 0; i < 3; ++i) job->emit("in", 0);
  EXPECT_THAT(take(), ElementsAre("0 has 7", "1 has 7", "2 has 7"));
}

}  // namespace
}  // namespace sluice
