// Time-to-live: TTL-01..25, for what the scripts of tests/parity do not ask.
#include "pipeline/state/ttl.hpp"

#include "tests/unit/pipeline/state/keyed_state_fixture.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using test::KeyedInstance;
using testing::ElementsAre;
using Update = TtlConfig::Update;
using Visibility = TtlConfig::Visibility;

class Ttl : public testing::Test, protected KeyedInstance {
 protected:
  ValueState<int> value(TtlConfig config, const std::string& name = "value") {
    return backend.state(ValueStateDescriptor<int>{.name = name, .ttl = config});
  }
};

TEST_F(Ttl, AValueIsGoneAtExactlyStampPlusTtl) {  // TTL-01
  auto state = value({.ttl = 10ms});
  select("a");
  state.update(1);
  now = 9;
  EXPECT_EQ(state.value(), 1);
  now = 10;
  EXPECT_EQ(state.value(), std::nullopt);
}

TEST_F(Ttl, TheSumOfStampAndTtlSaturates) {  // TTL-01
  auto state = value({.ttl = Duration{kMaxTimestamp}});
  select("a");
  now = 5;
  state.update(1);
  now = kMaxTimestamp - 1;
  EXPECT_EQ(state.value(), 1);
}

TEST_F(Ttl, StampsFarFromTodayAreKeptAsTheyAre) {  // TTL-01, TTL-19
  const TtlConfig config{.ttl = 100ms, .cleanup_size = 0};
  for (const Timestamp far : {kMaxTimestamp - 800, kMinTimestamp + 800, Timestamp{1} << 47,
                              -(Timestamp{1} << 47), Timestamp{0}}) {
    now = far;
    auto state = value(config);
    select("a");
    state.update(1);
    KeyedInstance again;
    again.restore(snapshot());
    auto restored = again.backend.state(ValueStateDescriptor<int>{.name = "value", .ttl = config});
    again.select("a");
    again.now = far + 99;
    EXPECT_EQ(restored.value(), 1) << far;
    again.now = far + 100;
    EXPECT_EQ(restored.value(), std::nullopt) << far;
  }
}

TEST_F(Ttl, MustBePositive) {  // TTL-22
  EXPECT_THROW((void)value({.ttl = 0ms}), InvalidArgument);
  EXPECT_THROW((void)value({.ttl = -1ms}), InvalidArgument);
}

TEST_F(Ttl, DisabledIsNone) {  // TTL-25
  auto state = value({.ttl = 0ms, .update = Update::kDisabled});
  select("a");
  state.update(1);
  now = kMaxTimestamp;
  EXPECT_EQ(state.value(), 1);
  EXPECT_FALSE(snapshot().states.front().info.ttl);
}

TEST_F(Ttl, AClockThatWentBackProlongsLives) {  // TTL-25
  auto state = value({.ttl = 10ms});
  select("a");
  now = 100;
  state.update(1);
  now = 50;
  EXPECT_EQ(state.value(), 1);
  now = 109;
  EXPECT_EQ(state.value(), 1);
}

TEST_F(Ttl, ADefaultIsIgnored) {  // TTL-18
  auto state = backend.state(
      ValueStateDescriptor<int>{.name = "v", .ttl = TtlConfig{.ttl = 10ms}, .default_value = 4});
  select("a");
  EXPECT_EQ(state.value(), std::nullopt);
}

TEST_F(Ttl, UpdatingWithNullClears) {  // VS-02
  const TtlConfig config{.ttl = 10ms, .cleanup_size = 0};
  auto state =
      backend.state(ValueStateDescriptor<std::optional<int>>{.name = "nullable", .ttl = config});
  select("a");
  state.update(7);
  state.update(std::nullopt);
  EXPECT_EQ(state.value(), std::nullopt);
  EXPECT_EQ(backend.entries(), 0U);
}

TEST_F(Ttl, ReturnExpiredGivesAValueOnce) {  // TTL-05, TTL-07
  auto state = value({.ttl = 10ms,
                      .update = Update::kOnReadAndWrite,
                      .visibility = Visibility::kReturnExpiredIfNotCleanedUp,
                      .cleanup_size = 0});
  select("a");
  state.update(1);
  now = 10;
  EXPECT_EQ(state.value(), 1) << "and is not renewed by it";
  EXPECT_EQ(state.value(), std::nullopt);
  EXPECT_EQ(backend.entries(), 0U);
}

TEST_F(Ttl, WithoutCleanUpWhatNobodyReadsStays) {  // TTL-13
  auto state = value({.ttl = 10ms, .cleanup_size = 0});
  select("a");
  state.update(1);
  now = 1000;
  select("b");
  for (int i = 0; i < 1000; ++i) state.update(i);
  EXPECT_EQ(backend.entries(), 2U);
  EXPECT_EQ(snapshot().states.front().rows.size(), 2U);
}

TEST_F(Ttl, TheCleanUpOfAnAccessReachesAllKeysOfThatStateAlone) {  // TTL-14, TTL-15
  auto cleaned = value({.ttl = 10ms, .cleanup_size = 1000}, "cleaned");
  auto other = value({.ttl = 10ms, .cleanup_size = 0}, "other");
  for (int i = 0; i < 500; ++i) {
    select("sensor-" + std::to_string(i));
    cleaned.update(i);
    other.update(i);
  }
  now = 10;
  EXPECT_EQ(cleaned.value(), std::nullopt);
  EXPECT_EQ(backend.entries(), 500U);
}

TEST_F(Ttl, TheDefaultCleanUpGetsRoundInTheEnd) {  // TTL-14
  auto state = value({.ttl = 10ms});
  for (int i = 0; i < 1000; ++i) {
    select("sensor-" + std::to_string(i));
    state.update(i);
  }
  now = 10;
  select("alive");
  for (int i = 0; i < 1000; ++i) state.update(i);
  EXPECT_EQ(backend.entries(), 1U);
}

TEST_F(Ttl, EveryRecordCleansWithoutAnAccess) {  // TTL-16
  auto state = value({.ttl = 10ms, .cleanup_size = 200, .cleanup_every_record = true});
  select("a");
  state.update(1);
  now = 10;
  select("b");
  EXPECT_EQ(backend.entries(), 0U);
}

TEST_F(Ttl, AFullSnapshotMayLeaveExpiredEntriesOut) {  // TTL-17
  const TtlConfig config{.ttl = 10ms, .cleanup_size = 0, .cleanup_full_snapshot = true};
  auto one = value(config);
  auto list = backend.state(ListStateDescriptor<int>{.name = "list", .ttl = config});
  auto map = backend.state(MapStateDescriptor<int, int>{.name = "map", .ttl = config});
  select("old");
  one.update(1);
  list.add(1);
  map.put(1, 1);
  now = 5;
  list.add(2);
  now = 10;
  const auto written = snapshot();
  EXPECT_TRUE(written.states[0].rows.empty());
  EXPECT_EQ(written.states[1].rows.front().second.get_if<Datum::List>()->size(), 1U);
  EXPECT_TRUE(written.states[2].rows.empty());
  EXPECT_EQ(backend.entries(), 3U) << "the running state keeps them";
}

TEST_F(Ttl, StampsAreAbsoluteAndANewConfigurationAppliesToThem) {  // TTL-19, TTL-21
  auto state = value({.ttl = 10ms});
  now = 100;
  select("a");
  state.update(1);
  KeyedInstance again;
  again.restore(snapshot());
  auto longer = again.backend.state(
      ValueStateDescriptor<int>{.name = "value", .ttl = TtlConfig{.ttl = 50ms}});
  again.select("a");
  again.now = 149;
  EXPECT_EQ(longer.value(), 1);
  again.now = 150;
  EXPECT_EQ(longer.value(), std::nullopt);
}

TEST_F(Ttl, ListElementsExpireAloneAndStayStoredWhileOneLives) {  // TTL-11
  auto list = backend.state(
      ListStateDescriptor<int>{.name = "list", .ttl = TtlConfig{.ttl = 10ms, .cleanup_size = 0}});
  select("a");
  list.add(1);
  now = 5;
  list.add(2);
  now = 10;
  EXPECT_THAT(list.get().to_vector(), ElementsAre(2));
  EXPECT_EQ(snapshot().states.front().rows.front().second.get_if<Datum::List>()->size(), 2U);
  now = 15;
  EXPECT_TRUE(list.get().empty());
  EXPECT_EQ(backend.entries(), 0U);
}

TEST_F(Ttl, AListThatIsAllAliveIsSeenAsItIsStoredUnlessReadsRenew) {  // LS-08, TTL-04, TTL-11
  for (const auto update : {Update::kOnCreateAndWrite, Update::kOnReadAndWrite}) {
    const bool live = update == Update::kOnCreateAndWrite;
    auto list = backend.state(ListStateDescriptor<int>{
        .name = live ? "live" : "copied", .ttl = TtlConfig{.ttl = 10ms, .update = update}});
    now = 0;
    select("a");
    list.add(1);
    now = 5;
    list.add(2);
    const auto view = list.get();
    list.add(3);
    EXPECT_EQ(view.size(), live ? 3U : 2U);
    now = 14;
    EXPECT_EQ(list.get().size(), live ? 2U : 3U);
    now = 24;
    EXPECT_TRUE(list.get().empty());
  }
}

TEST_F(Ttl, ACleanUpOfOtherKeysListsDoesNotEndAnIteration) {  // LS-08, TTL-14
  auto list = backend.state(
      ListStateDescriptor<int>{.name = "list", .ttl = TtlConfig{.ttl = 10ms, .cleanup_size = 1}});
  for (int i = 0; i < 200; ++i) {
    select("old-" + std::to_string(i));
    list.add(i);
  }
  now = 5;
  select("a");
  list.add_all(std::vector{1, 2, 3});
  now = 10;
  int seen = 0;
  for (const int item : list.get()) {
    EXPECT_EQ(item, ++seen);
    const std::size_t before = backend.entries();
    EXPECT_EQ(list.get().size(), 3U);
    EXPECT_LT(backend.entries(), before) << "a list of another key must go meanwhile";
  }
  EXPECT_EQ(seen, 3);
}

TEST_F(Ttl, ACleanUpRemovesSingleListElements) {  // TTL-14
  auto list = backend.state(ListStateDescriptor<int>{
      .name = "list", .ttl = TtlConfig{.ttl = 10ms, .cleanup_size = 1000}});
  select("a");
  list.add(1);
  now = 5;
  list.add(2);
  now = 10;
  select("b");
  (void)list.get();
  EXPECT_EQ(snapshot().states.front().rows.front().second.get_if<Datum::List>()->size(), 1U);
}

TEST_F(Ttl, AnIncrementalSnapshotTellsOfWhatACleanUpRemoved) {
  keys.track_changes(true);
  auto state = value({.ttl = 10ms, .cleanup_size = 1000});
  select("a");
  state.update(1);
  MemorySnapshot kept;
  write(kept, true);
  now = 10;
  select("b");
  state.update(2);
  write(kept, false);
  const auto& rows = kept.job().operators.front().states.front().rows;
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.front().first, Datum{"b"});
}

}  // namespace
}  // namespace sluice
