// The key space: dense indexes that are given back, and the current key.
#include <gtest/gtest.h>

#include "pipeline/state/typed_key_space.hpp"
#include "tests/unit/pipeline/state/keyed_state_fixture.hpp"

namespace sluice {
namespace {

using detail::KeyIndex;
using detail::TypedKeySpace;
using test::KeyedInstance;

TEST(KeySpace, WithoutACurrentKeyStateIsRefusedButItsHandleIsNot) {  // KS-04
  KeyedInstance instance;
  auto state = instance.backend.state(ValueStateDescriptor<int>{.name = "last"});
  EXPECT_THROW((void)state.value(), IllegalState);
  EXPECT_THROW(state.update(1), IllegalState);
  EXPECT_THROW(state.clear(), IllegalState);
  instance.select("a");
  EXPECT_EQ(state.value(), std::nullopt);
}

TEST(KeySpace, ANullKeyIsRefused) {  // KS-07
  TypedKeySpace<std::optional<std::string>> keys;
  EXPECT_THROW(keys.select(std::nullopt), InvalidArgument);
  keys.select("a");
  EXPECT_EQ(keys.key(keys.current()), "a");
}

TEST(KeySpace, AKeyWithNothingOnItGivesItsIndexBack) {
  KeyedInstance instance;
  auto state = instance.backend.state(ValueStateDescriptor<int>{.name = "last"});
  for (int i = 0; i < 1000; ++i) {
    instance.select("sensor-" + std::to_string(i));
    state.update(i);
    state.clear();
  }
  instance.keys.set_current(detail::kNoKey);
  EXPECT_EQ(instance.keys.live(), 0U);
  EXPECT_LE(instance.keys.capacity(), 2U) << "indexes are used again";
}

TEST(KeySpace, AKeyThatComesAndGoesWaitsForTheNextSnapshotOnce) {
  KeyedInstance instance;
  instance.keys.track_changes(true);
  auto state = instance.backend.state(ValueStateDescriptor<int>{.name = "last"});
  MemorySnapshot kept;
  for (const char* key : {"a", "b"}) {
    instance.select(key);
    state.update(1);
  }
  instance.write(kept, false);  // only what is stored must be erased
  for (int i = 0; i < 1000; ++i) {
    instance.select(i % 2 == 0 ? "a" : "b");
    state.update(i);
    state.clear();
  }
  EXPECT_EQ(instance.keys.waiting(), 2U);
  instance.select("a");
  state.update(7);
  instance.write(kept, false);
  EXPECT_EQ(instance.keys.waiting(), 0U);
  EXPECT_EQ(instance.keys.live(), 1U) << "b is gone, a came back to life";
  EXPECT_EQ(state.value(), 7);
  EXPECT_EQ(kept.job().operators.front().states.front().rows.size(), 1U);
}

TEST(KeySpace, KeysThatComeAndGoBetweenTwoSnapshotsLeaveNothingBehind) {
  KeyedInstance instance;
  instance.keys.track_changes(true);
  auto value = instance.backend.state(ValueStateDescriptor<int>{.name = "value"});
  auto list = instance.backend.state(ListStateDescriptor<int>{.name = "list"});
  instance.select("stays");
  value.update(1);
  for (int i = 0; i < 10'000; ++i) {
    instance.select("passes-" + std::to_string(i));
    value.update(i);
    list.add(i);
    value.clear();
    list.clear();
  }
  EXPECT_EQ(instance.keys.waiting(), 0U);
  EXPECT_LE(instance.keys.capacity(), 3U);
  instance.keys.set_current(detail::kNoKey);
  MemorySnapshot kept;
  instance.write(kept, false);
  ASSERT_EQ(kept.job().operators.front().states.front().rows.size(), 1U);
  EXPECT_EQ(kept.job().operators.front().states.front().rows.front().first, Datum{"stays"});
}

TEST(KeySpace, AnIndexUsedAgainShowsNothingOfTheFormerKey) {
  KeyedInstance instance;
  auto value = instance.backend.state(ValueStateDescriptor<std::string>{.name = "value"});
  auto list = instance.backend.state(ListStateDescriptor<int>{.name = "list"});
  instance.select("old");
  value.update("of old");
  list.add(1);
  value.clear();
  list.clear();
  instance.select("new");
  const KeyIndex of_new = instance.keys.current();
  EXPECT_EQ(value.value(), std::nullopt);
  EXPECT_TRUE(list.get().empty());
  EXPECT_EQ(instance.keys.key(of_new), "new");
}

TEST(KeySpace, TenThousandKeysKeepTheirStatesApartWhileItGrowsAndShrinks) {
  KeyedInstance instance;
  auto state = instance.backend.state(ValueStateDescriptor<int>{.name = "last"});
  const auto key = [](int i) { return "sensor-" + std::to_string(i); };
  for (int i = 0; i < 10'000; ++i) {
    instance.select(key(i));
    state.update(i);
  }
  for (int i = 0; i < 10'000; i += 2) {
    instance.select(key(i));
    state.clear();
  }
  for (int i = 0; i < 10'000; ++i) {
    instance.select(key(i));
    EXPECT_EQ(state.value(), i % 2 == 0 ? std::nullopt : std::optional{i});
  }
  EXPECT_EQ(instance.backend.entries(), 5000U);
}

TEST(KeySpace, WhileChangesAreTrackedAnIndexWaitsUntilItsErasureIsWritten) {
  KeyedInstance instance;
  instance.keys.track_changes(true);
  auto state = instance.backend.state(ValueStateDescriptor<int>{.name = "last"});
  MemorySnapshot snapshot;
  instance.select("gone");
  state.update(1);
  instance.write(snapshot, true);

  instance.select("gone");
  state.clear();
  instance.select("other");  // must not take the index of "gone" now
  state.update(2);
  instance.keys.set_current(detail::kNoKey);
  EXPECT_EQ(instance.keys.live(), 2U);
  instance.write(snapshot, false);
  EXPECT_EQ(instance.keys.live(), 1U);

  const auto& rows = snapshot.job().operators.front().states.front().rows;
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.front().first, Datum{"other"});
}

TEST(KeySpace, AKeyThatComesBackBeforeItsErasureIsWrittenIsStored) {
  KeyedInstance instance;
  instance.keys.track_changes(true);
  auto state = instance.backend.state(ValueStateDescriptor<int>{.name = "last"});
  MemorySnapshot snapshot;
  instance.select("a");
  state.update(1);
  instance.write(snapshot, true);
  state.clear();
  instance.select("b");
  instance.select("a");
  state.update(3);
  instance.write(snapshot, false);
  instance.select("b");
  instance.select("a");
  EXPECT_EQ(state.value(), 3);
  const auto& rows = snapshot.job().operators.front().states.front().rows;
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.front().second, Datum{3});
}

TEST(KeySpace, StructsMayBeKeysAndHashBySchemaText) {
  EXPECT_EQ(detail::key_hash_code(std::string{"a"}), 97);
  EXPECT_EQ(detail::key_hash_code(std::int64_t{5}), 5);
  EXPECT_EQ(detail::key_hash_code(std::optional<std::string>{"a"}),
            detail::key_hash_code(std::optional<std::string>{"a"}));
}

}  // namespace
}  // namespace sluice
