// MapState and its cursor: MS-01..10, TTL-07, TTL-12.
#include "pipeline/state/map_state.hpp"

#include "tests/unit/pipeline/state/keyed_state_fixture.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using test::KeyedInstance;
using testing::ElementsAre;
using testing::Pair;
using Nullable = std::optional<int>;

template <class K, class V>
std::vector<std::pair<K, V>> all(const MapState<K, V>& state) {
  std::vector<std::pair<K, V>> result;
  for (auto cursor = state.cursor(); cursor.next();)
    result.emplace_back(cursor.key(), cursor.value());
  return result;
}

class MapStates : public testing::Test, protected KeyedInstance {
 protected:
  MapStates() { select("a"); }
  MapState<std::string, int> with_ttl(TtlConfig config, std::string name = "ttl") {
    config.ttl = 10ms;
    return backend.state(MapStateDescriptor<std::string, int>{std::move(name), config});
  }
  MapState<std::string, int> map{
      backend.state(MapStateDescriptor<std::string, int>{.name = "map"})};
};

TEST_F(MapStates, AbsentIsNothingAndEmpty) {  // MS-01, MS-02, MS-05
  EXPECT_EQ(map.get("x"), std::nullopt);
  EXPECT_FALSE(map.contains("x"));
  EXPECT_TRUE(map.is_empty());
  EXPECT_FALSE(map.cursor().next());
  for ([[maybe_unused]] const auto& key : map.keys()) FAIL();
  map.remove("x");
  EXPECT_EQ(backend.entries(), 0U);
}

TEST_F(MapStates, NullValuesAreStoredAndNullKeysToo) {  // MS-01, MS-03, MS-04
  auto state = backend.state(MapStateDescriptor<Nullable, Nullable>{.name = "nulls"});
  state.put(1, std::nullopt);
  state.put(std::nullopt, 2);
  EXPECT_TRUE(state.contains(1));
  EXPECT_EQ(state.get(1), std::nullopt);
  EXPECT_EQ(state.get(std::nullopt), 2);
  KeyedInstance again;
  again.restore(snapshot());
  auto restored = again.backend.state(MapStateDescriptor<Nullable, Nullable>{.name = "nulls"});
  again.select("a");
  EXPECT_EQ(all(restored), all(state));
}

TEST_F(MapStates, IterateInOrderOfTheKey) {  // MS-08
  map.put_all({{"c", 3}, {"a", 1}, {"b", 2}});
  EXPECT_THAT(all(map), ElementsAre(Pair("a", 1), Pair("b", 2), Pair("c", 3)));
  std::vector<int> values;
  for (const int value : map.values()) values.push_back(value);
  EXPECT_THAT(values, ElementsAre(1, 2, 3));
}

TEST_F(MapStates, AddingAnEmptyMapStoresNothing) {  // MS-09
  map.put_all({});
  EXPECT_EQ(backend.entries(), 0U);
}

TEST_F(MapStates, RemovingTheLastKeyRemovesTheEntry) {  // MS-06, KS-10
  map.put("x", 1);
  map.remove("x");
  EXPECT_TRUE(map.is_empty());
  EXPECT_EQ(backend.entries(), 0U);
}

TEST_F(MapStates, ACursorRemovesAndSetsInTheState) {  // MS-07
  map.put_all({{"a", 1}, {"b", 2}, {"c", 3}});
  for (auto cursor = map.cursor(); cursor.next();) {
    if (cursor.key() == "b") {
      cursor.remove();
      cursor.remove();  // twice is once
      EXPECT_EQ(cursor.key(), "b") << "stays readable until next()";
      EXPECT_EQ(cursor.value(), 2);
    } else {
      cursor.set_value(cursor.value() * 10);
    }
  }
  EXPECT_THAT(all(map), ElementsAre(Pair("a", 10), Pair("c", 30)));
}

TEST_F(MapStates, RemovingTheLastThroughACursorLeavesAnEntryThatUsersDoNotSee) {  // MS-06
  map.put("x", 1);
  for (auto cursor = map.cursor(); cursor.next();) cursor.remove();
  EXPECT_TRUE(map.is_empty());
  EXPECT_EQ(map.get("x"), std::nullopt);
  EXPECT_EQ(backend.entries(), 1U);
  map.put("y", 2);
  EXPECT_THAT(all(map), ElementsAre(Pair("y", 2)));
}

TEST_F(MapStates, NewOrRemovedKeysUnderARunningIterationMakeItThrow) {  // MS-10
  map.put_all({{"a", 1}, {"b", 2}});
  auto put = map.cursor();
  ASSERT_TRUE(put.next());
  map.put("a", 5);
  ASSERT_TRUE(put.next()) << "a new value of a known key is no change of keys";
  map.put("new", 1);
  EXPECT_THROW((void)put.next(), ConcurrentModification);

  auto removed = map.cursor();
  ASSERT_TRUE(removed.next());
  map.remove("b");
  EXPECT_THROW((void)removed.next(), ConcurrentModification);

  auto cleared = map.cursor();
  ASSERT_TRUE(cleared.next());
  map.clear();
  EXPECT_THROW((void)cleared.next(), ConcurrentModification);
}

TEST_F(MapStates, EntriesExpireAlone) {  // TTL-12, TTL-02
  auto state = with_ttl({.cleanup_size = 0});
  state.put("a", 1);
  now = 5;
  state.put("b", 2);
  now = 10;
  EXPECT_EQ(backend.entries(), 1U);
  EXPECT_FALSE(state.is_empty());
  EXPECT_THAT(all(state), ElementsAre(Pair("b", 2)));
  now = 15;
  EXPECT_FALSE(state.is_empty()) << "looks at no stamps";
  EXPECT_FALSE(state.contains("b"));
  EXPECT_TRUE(state.is_empty()) << "what was found expired is gone";
}

TEST_F(MapStates, WithTtlSettingThroughACursorChangesNothing) {  // TTL-12
  auto state = with_ttl({});
  state.put("a", 1);
  for (auto cursor = state.cursor(); cursor.next();) cursor.set_value(9);
  EXPECT_EQ(state.get("a"), 1);
}

TEST_F(MapStates, IterationMayReturnExpiredEntriesOnce) {  // TTL-07
  auto state = with_ttl(
      {.visibility = TtlConfig::Visibility::kReturnExpiredIfNotCleanedUp, .cleanup_size = 0});
  state.put("a", 1);
  state.put("b", 2);
  now = 10;
  EXPECT_THAT(all(state), ElementsAre(Pair("a", 1), Pair("b", 2)));
  EXPECT_THAT(all(state), ElementsAre());
}

TEST_F(MapStates, EntriesThatExpireDuringAnIterationAreSkipped) {
  auto state = with_ttl({});
  for (const char* key : {"a", "b", "c"}) state.put(key, 1);
  now = 9;
  state.put("c", 2);
  auto cursor = state.cursor();
  ASSERT_TRUE(cursor.next());
  now = 10;
  ASSERT_TRUE(cursor.next());
  EXPECT_EQ(cursor.key(), "c");
  EXPECT_FALSE(cursor.next());
}

TEST_F(MapStates, TheBackgroundCleanUpWaitsWhileACursorIsOpen) {  // TTL-14
  auto state = with_ttl({.cleanup_size = 1000});
  state.put("a", 1);
  now = 9;
  state.put("b", 2);
  auto cursor = state.cursor();
  ASSERT_TRUE(cursor.next());
  now = 10;
  EXPECT_EQ(state.get("b"), 2);  // an access, which would clean "a" away under the cursor
  ASSERT_TRUE(cursor.next());
  EXPECT_EQ(cursor.key(), "b");
}

TEST_F(MapStates, IterationRenewsWhereReadsDo) {  // TTL-04
  auto state = with_ttl({.update = TtlConfig::Update::kOnReadAndWrite});
  state.put("a", 1);
  now = 9;
  EXPECT_EQ(all(state).size(), 1U);
  now = 18;
  EXPECT_TRUE(state.contains("a"));
  now = 27;
  EXPECT_FALSE(state.is_empty()) << "which renews nothing";
  now = 28;
  EXPECT_EQ(state.get("a"), std::nullopt);
}

}  // namespace
}  // namespace sluice
