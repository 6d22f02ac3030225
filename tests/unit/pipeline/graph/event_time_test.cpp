// Event time in snapshots: off by default (WM-14), and what keep_event_time keeps.
#include "pipeline/graph/event_time.hpp"

#include <set>

#include "pipeline/graph/node.hpp"
#include "tests/unit/pipeline/graph/probe.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using test::Item;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Says whether an element is late, and sets a timer for its value.
class TellLate final : public KeyedProcessFunction<std::string, Item, std::string> {
 public:
  void process_element(const Item& item, Context& context, Collector<std::string>& out) override {
    const bool late = *context.timestamp() <= context.timer_service().current_watermark();
    out.collect(item.key + (late ? " late" : " in time"));
    if (item.value != 0) context.timer_service().register_event_time_timer(item.value);
  }
  void on_timer(Timestamp at, OnTimerContext& context, Collector<std::string>& out) override {
    out.collect(context.current_key() + "@" + std::to_string(at));
  }
};

class EventTimeInSnapshots : public testing::Test {
 protected:
  struct Running {
    Environment environment;
    std::vector<std::string> out;
    std::unique_ptr<Job> job;
    std::vector<std::string> take() { return std::exchange(out, {}); }
  };
  std::unique_ptr<Running> start(const JobSnapshot* restore, bool keep, Duration disorder = 10ms,
                                 const std::string& uid = "late") {
    auto running = std::make_unique<Running>();
    running->environment.from_source<Item>("in")
        .assign_timestamps_and_watermarks(
            WatermarkStrategy<Item>::for_bounded_out_of_orderness(disorder).with_idleness(1min))
        .key_by(&Item::key)
        .process<TellLate>()
        .uid(uid)
        .sink_to([to = &running->out](const std::string& text) { to->push_back(text); });
    JobOptions options;
    options.restore = restore;
    options.keep_event_time = keep;
    auto job = Job::start(running->environment, options);
    EXPECT_TRUE(job) << (job ? "" : job.error().message());
    if (job) running->job = std::move(*job);
    return running;
  }
  /// Up to watermark 89, with a timer at 95 pending.
  MemorySnapshot cut(bool keep) {
    const auto before = start(nullptr, keep);
    before->job->emit("in", Item{"a", 95}, 100);
    before->job->advance_processing_time(200);
    MemorySnapshot snapshot;
    before->job->snapshot(snapshot, true, 1);
    return snapshot;
  }
};

TEST_F(EventTimeInSnapshots, WithoutTheOptionARestoreKnowsNoWatermark) {  // WM-14
  const auto snapshot = cut(false);
  const auto after = start(&snapshot.job(), false);
  after->job->emit("in", Item{"b", 0}, 50);
  EXPECT_THAT(after->take(), ElementsAre("b in time"));
}

TEST_F(EventTimeInSnapshots, WithItWhatWasLateIsLateAfterARestoreToo) {
  const auto snapshot = cut(true);
  const auto after = start(&snapshot.job(), true);
  EXPECT_THAT(after->take(), IsEmpty()) << "nothing fires because of a restore";
  after->job->emit("in", Item{"b", 0}, 50);
  after->job->emit("in", Item{"b", 0}, 89);
  after->job->emit("in", Item{"b", 0}, 90);
  EXPECT_THAT(after->take(), ElementsAre("b late", "b late", "b in time"));
  // The generator goes on from 100: 106 makes 95, and not before the interval is over.
  after->job->emit("in", Item{"b", 0}, 106);
  after->job->advance_processing_time(399);
  EXPECT_THAT(after->take(), ElementsAre("b in time"));
  after->job->advance_processing_time(400);
  EXPECT_THAT(after->take(), ElementsAre("a@95"));
}

TEST_F(EventTimeInSnapshots, ASnapshotWithoutItIsRestoredAsEver) {
  const auto snapshot = cut(false);
  const auto after = start(&snapshot.job(), true);
  after->job->emit("in", Item{"b", 0}, 50);
  EXPECT_THAT(after->take(), ElementsAre("b in time"));
  after->job->emit("in", Item{"b", 0}, 120);
  after->job->advance_processing_time(200);
  EXPECT_THAT(after->take(), ElementsAre("b in time", "a@95"));
}

TEST_F(EventTimeInSnapshots, ASnapshotWithItIsRestoredWithoutTheOptionToo) {
  const auto snapshot = cut(true);
  const auto after = start(&snapshot.job(), false);
  after->job->emit("in", Item{"b", 0}, 50);
  EXPECT_THAT(after->take(), ElementsAre("b in time"));
}

/// Says which watermark it stands at.
class TellWatermark final : public CoProcessFunction<Item, Item, std::string> {
 public:
  void process_element1(const Item&, Context& context, Collector<std::string>& out) override {
    const Timestamp at = context.timer_service().current_watermark();
    out.collect(at == kMinTimestamp ? "at the beginning" : std::to_string(at));
  }
  void process_element2(const Item&, Context&, Collector<std::string>&) override {}
};

TEST_F(EventTimeInSnapshots, AnotherFunctionWithTwoInputsUnderAnOldUidStandsAtTheBeginning) {
  const auto snapshot = cut(true);
  Environment environment;
  std::vector<std::string> out;
  const auto other = environment.from_source<Item>("other");
  environment.from_source<Item>("in").connect(other).process<TellWatermark>().uid("late").sink_to(
      [&](const std::string& text) { out.push_back(text); });
  JobOptions options;
  JobSnapshot without_keyed_state = snapshot.job();
  std::erase_if(without_keyed_state.operators,
                [](const auto& op) { return op.info.uid == "late"; });
  options.restore = &without_keyed_state;
  options.keep_event_time = true;
  auto job = Job::start(environment, options);
  ASSERT_TRUE(job) << job.error().message();
  (*job)->emit("in", Item{"a", 0}, 1);
  EXPECT_THAT(out, ElementsAre("at the beginning"));
}

TEST_F(EventTimeInSnapshots, AnotherDisorderDoesNotTakeTheWatermarkBack) {
  const auto snapshot = cut(true);
  const auto after = start(&snapshot.job(), true, 60ms);
  after->job->emit("in", Item{"b", 0}, 60);
  after->job->advance_processing_time(1000);
  after->job->emit("in", Item{"b", 0}, 89);
  EXPECT_THAT(after->take(), ElementsAre("b late", "b late"));
}

TEST_F(EventTimeInSnapshots, ItCanStartOverForAClockThatWasFarAhead) {
  const auto running = start(nullptr, true);
  running->job->emit("in", Item{"a", 95}, 1'000'000);
  running->job->advance_processing_time(200);
  running->take();
  running->job->emit("in", Item{"a", 0}, 50);
  running->job->reset_event_time();
  running->job->emit("in", Item{"a", 0}, 50);
  EXPECT_THAT(running->take(), ElementsAre("a late", "a in time"));
  running->job->emit("in", Item{"a", 0}, 120);
  running->job->advance_processing_time(400);
  running->job->emit("in", Item{"a", 0}, 50);
  EXPECT_THAT(running->take(), ElementsAre("a in time", "a late"));
  const auto without = start(nullptr, false);
  EXPECT_THROW(without->job->reset_event_time(), IllegalState);
}

TEST_F(EventTimeInSnapshots, ItsUidIsTaken) {
  Environment environment;
  environment.from_source<Item>("in")
      .key_by(&Item::key)
      .process<TellLate>()
      .uid(std::string{detail::kEventTimeUid});
  const auto job = Job::start(environment, {});
  ASSERT_FALSE(job);
  EXPECT_THAT(job.error().message(), HasSubstr("'$event-time' is taken"));
}

TEST_F(EventTimeInSnapshots, IncrementsHoldWhatChangedOnly) {
  const auto running = start(nullptr, true);
  struct Count final : SnapshotWriter {
    void begin_operator(const OperatorInfo& info) override {
      counts = info.uid == detail::kEventTimeUid;
    }
    void begin_state(const StateInfo&, bool) override {}
    void put(Datum, Datum) override { puts += counts ? 1 : 0; }
    void erase(Datum) override { puts += counts ? 1 : 0; }
    bool counts{false};
    int puts{0};
  };
  running->job->emit("in", Item{"a", 0}, 100);
  running->job->advance_processing_time(200);
  Count first;
  running->job->snapshot(first, false, 1);
  EXPECT_GT(first.puts, 0);
  Count second;
  running->job->snapshot(second, false, 2);
  EXPECT_EQ(second.puts, 0);
}

TEST(LastingNames, AreUidsOrSayWhatAnOperatorIsFedBy) {
  Environment environment;
  auto in = environment.from_source<Item>("in");
  for (int i = 0; i < 2; ++i) {
    in.filter([](const Item&) { return true; })
        .key_by(&Item::key)
        .process<TellLate>()
        .uid("late-" + std::to_string(i));
  }
  EXPECT_THAT(detail::lasting_names(environment.nodes()),
              ElementsAre("in()", "filter(in(),)", "late-0", "filter(in(),)#2", "late-1"));
  auto longer = in;
  for (int i = 0; i < 50; ++i) longer = longer.filter([](const Item&) { return true; });
  const auto names = detail::lasting_names(environment.nodes());
  EXPECT_LT(names.back().size(), 150U);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

}  // namespace
}  // namespace sluice
