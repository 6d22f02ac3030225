// Restoring a job: what comes back, what is refused (CP-01, CP-02, CP-04, CP-07..10, SE-03).
#include <algorithm>

#include "tests/unit/pipeline/graph/probe.hpp"

namespace sluice {
namespace {

using test::Item;
using test::Probe;
using test::ProbeTest;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The same state under keys of another type.
class ByNumber final : public KeyedProcessFunction<std::int64_t, Item, Item> {
 public:
  void open(RuntimeContext& context) override {
    (void)context.value_state<std::int64_t>({.name = "sum"});
  }
  void process_element(const Item&, Context&, Collector<Item>&) override {}
};

class Restore : public ProbeTest {
 protected:
  static Probe::Script sums() {
    return {.element = [](Probe& probe, const Item& item, Probe::Base::Context& context,
                          Probe::Out& to) {
      probe.sum.update(probe.sum.value().value_or(0) + item.value);
      context.timer_service().register_event_time_timer(100);
      to.collect(item.key + "=" + std::to_string(*probe.sum.value()));
    }};
  }
  /// A snapshot of the graph after `items`.
  const JobSnapshot& snapshot_after(const std::vector<Item>& items) {
    const auto job = start();
    for (const auto& item : items) job->emit("in", item);
    job->snapshot(snapshot_, true, 1);
    job->emit("in", Item{"later", 1});
    out.clear();
    return snapshot_.job();
  }
  std::string refusal(const Environment& environment, const JobOptions& options,
                      ErrorCode code = ErrorCode::kVersion) {
    auto job = Job::start(environment, options);
    if (job) return "";
    EXPECT_EQ(job.error().code(), code);
    return job.error().message();
  }

 private:
  MemorySnapshot snapshot_;
};

TEST_F(Restore, BringsBackExactlyWhatWasThereBetweenTwoElements) {  // CP-01, CP-02, CP-04, TM-12
  build(sums());
  const auto& snapshot = snapshot_after({{"a", 1}, {"a", 2}, {"b", 5}});
  const auto job = start({.restore = &snapshot});
  job->emit_watermark("in", 100);
  EXPECT_THAT(out, testing::UnorderedElementsAre("a@100", "b@100"));
  out.clear();
  job->emit("in", Item{"a", 10});
  job->emit("in", Item{"later", 1});
  EXPECT_THAT(out, ElementsAre("a=13", "later=1"));
}

TEST_F(Restore, StateOfAnOperatorThatIsGoneIsRefusedUnlessAllowed) {  // CP-08
  build(sums());
  const auto& snapshot = snapshot_after({{"a", 1}});
  Environment other;
  other.from_source<Item>("in").key_by(&Item::key).process<Probe>(sums()).uid("renamed");
  EXPECT_THAT(refusal(other, {.restore = &snapshot}),
              AllOf(HasSubstr("uid 'probe'"), HasSubstr("allow")));
  EXPECT_EQ(refusal(other, {.restore = &snapshot, .allow_non_restored_state = true}), "");
}

TEST_F(Restore, EmptyStateOfAnOperatorThatIsGoneIsSkipped) {  // CP-08
  build(sums());
  MemorySnapshot snapshot;
  start()->snapshot(snapshot, true, 1);
  ASSERT_FALSE(snapshot.job().operators.empty());
  const Environment empty;
  EXPECT_EQ(refusal(empty, {.restore = &snapshot.job()}), "");
}

TEST_F(Restore, ANewOperatorStartsEmpty) {  // CP-08
  build(sums());
  const auto& snapshot = snapshot_after({{"a", 1}});
  env.from_source<Item>("new")
      .key_by(&Item::key)
      .process<Probe>(sums())
      .uid("new")
      .sink_to([this](const std::string& text) { out.push_back("new " + text); });
  start({.restore = &snapshot})->emit("new", Item{"a", 5});
  EXPECT_THAT(out, ElementsAre("new a=5"));
}

TEST_F(Restore, StatesThatNobodyAsksForAreCarriedAlong) {  // CP-09
  auto script = sums();
  script.open = [](Probe&, RuntimeContext& context) {
    (void)context.map_state<int, int>({.name = "second"});
  };
  script.element = [](Probe& probe, const Item&, Probe::Base::Context&, Probe::Out&) {
    probe.runtime_context().map_state<int, int>({.name = "second"}).put(1, 2);
  };
  build(std::move(script));
  const auto& snapshot = snapshot_after({{"a", 1}});

  Environment without;
  without.from_source<Item>("in").key_by(&Item::key).process<Probe>(sums()).uid("probe");
  MemorySnapshot again;
  std::move(Job::start(without, {.restore = &snapshot})).value()->snapshot(again, true, 2);

  std::size_t rows_of_second = 0;
  for (const auto& state : again.job().operators.front().states) {
    if (state.info.name == "second") rows_of_second = state.rows.size();
  }
  EXPECT_EQ(rows_of_second, 1U);
  EXPECT_EQ(again.job().operators.front().states.size(), 4U) << "two states, two sets of timers";
}

TEST_F(Restore, TheNumberOfKeyGroupsIsFixed) {  // CP-10
  build(sums());
  env.set_max_parallelism(64);
  const auto& snapshot = snapshot_after({{"a", 1}});
  env.set_max_parallelism(256);
  EXPECT_THAT(refusal(env, {.restore = &snapshot}), AllOf(HasSubstr("64"), HasSubstr("CP-10")));
  env.set_max_parallelism(0);
  env.set_parallelism(65);
  EXPECT_THAT(refusal(env, {.restore = &snapshot}, ErrorCode::kInvalid), HasSubstr("64"));
  env.set_parallelism(64);
  EXPECT_EQ(refusal(env, {.restore = &snapshot}), "");
}

TEST_F(Restore, TheKeyCannotChangeItsType) {  // SE-03
  build(sums());
  const auto& snapshot = snapshot_after({{"a", 1}});
  Environment other;
  other.from_source<Item>("in")
      .key_by([](const Item& item) { return item.value; })
      .process<ByNumber>()
      .uid("probe");
  EXPECT_THAT(refusal(other, {.restore = &snapshot}),
              AllOf(HasSubstr("'probe'"), HasSubstr("text"), HasSubstr("i64"), HasSubstr("key")));
}

TEST_F(Restore, IncrementsAddUpToTheWholePicture) {
  build(sums());
  MemorySnapshot increments;
  MemorySnapshot whole;
  const auto job = start({.track_changes = true});
  job->snapshot(increments, true, 1);
  for (std::uint64_t round = 2; round < 10; ++round) {
    for (std::uint64_t i = 0; i < round; ++i) {
      job->emit("in", Item{"k" + std::to_string(i * round % 7), 1});
    }
    if (round == 5) job->emit_watermark("in", 100);
    job->snapshot(increments, false, round);
  }
  job->snapshot(whole, true, 10);
  const auto& of_increments = increments.job().operators.front().states;
  const auto& of_whole = whole.job().operators.front().states;
  ASSERT_EQ(of_increments.size(), of_whole.size());
  for (std::size_t i = 0; i < of_whole.size(); ++i) {
    auto rows = of_whole[i].rows;
    std::sort(rows.begin(), rows.end(),
              [](const auto& a, const auto& b) { return datum_less(a.first, b.first); });
    auto kept = of_increments[i].rows;
    std::sort(kept.begin(), kept.end(),
              [](const auto& a, const auto& b) { return datum_less(a.first, b.first); });
    EXPECT_EQ(kept, rows) << of_whole[i].info.name;
  }
}

}  // namespace
}  // namespace sluice
