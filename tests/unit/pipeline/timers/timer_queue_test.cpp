// The pending timers of one instance: a set that gives its earliest member (TM-03, TM-04, TM-06).
#include "pipeline/timers/timer_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "pipeline/state/typed_key_space.hpp"

namespace sluice::detail {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Timers : public testing::Test {
 protected:
  Timer timer(const std::string& key, Timestamp at) {
    keys.select(key);
    return {at, keys.current()};
  }
  void add(const std::string& key, Timestamp at) { queue.add(timer(key, at)); }
  void remove(const std::string& key, Timestamp at) { queue.remove(timer(key, at)); }
  /// Takes all out, as "key@time".
  std::vector<std::string> drain() {
    std::vector<std::string> fired;
    while (const Timer* next = queue.earliest()) {
      const Timer copy = *next;
      keys.set_current(copy.key);
      (void)queue.take_earliest();
      fired.push_back(keys.key(copy.key) + "@" + std::to_string(copy.at));
    }
    return fired;
  }
  std::vector<std::string> written(bool full) {
    kept.begin_operator({"uid", 0, 1, 128});
    queue.write(kept, {"event-timers", StateKind::kEventTimers, "text", "bool", false}, full);
    keys.changes_written();
    std::vector<std::string> rows;
    for (const auto& state : kept.job().operators.front().states) {
      for (const auto& row : state.rows) rows.push_back(row.first.to_text());
    }
    return rows;
  }

  TypedKeySpace<std::string> keys;
  TimerQueue queue{keys};
  MemorySnapshot kept;
};

TEST_F(Timers, ComeInOrderOfTimeOverAllKeys) {  // TM-06, TM-21
  add("a", 30);
  add("b", 10);
  add("a", -5);
  add("c", 20);
  add("b", kMaxTimestamp);
  EXPECT_THAT(drain(),
              ElementsAre("a@-5", "b@10", "c@20", "a@30", "b@" + std::to_string(kMaxTimestamp)));
}

TEST_F(Timers, SetTwiceAreOne) {  // TM-03
  add("a", 10);
  add("a", 20);
  add("a", 10);
  add("a", 20);
  EXPECT_EQ(queue.size(), 2U);
  EXPECT_THAT(drain(), ElementsAre("a@10", "a@20"));
}

TEST_F(Timers, AreDeletedByExactTimeAndKey) {  // TM-04
  add("a", 10);
  add("a", 11);
  add("b", 10);
  remove("a", 10);
  remove("a", 12);
  remove("unknown", 10);
  EXPECT_THAT(drain(), ElementsAre("b@10", "a@11"));
}

TEST_F(Timers, MayBeSetAgainAfterDeletingAndAfterFiring) {  // TM-11
  add("a", 10);
  remove("a", 10);
  add("a", 10);
  EXPECT_THAT(drain(), ElementsAre("a@10"));
  add("a", 10);
  EXPECT_THAT(drain(), ElementsAre("a@10"));
}

TEST_F(Timers, AnEarlierOneOvertakes) {  // TM-09
  add("a", 20);
  ASSERT_EQ(queue.earliest()->at, 20);
  add("b", 10);
  EXPECT_EQ(queue.earliest()->at, 10);
}

TEST_F(Timers, ReArmedAHundredThousandTimesStayFew) {
  for (int key = 0; key < 10; ++key) add(std::to_string(key), 0);
  for (Timestamp at = 1; at <= 10'000; ++at) {
    for (int key = 0; key < 10; ++key) {
      remove(std::to_string(key), at - 1);
      add(std::to_string(key), at);
    }
  }
  EXPECT_EQ(queue.size(), 10U);
  EXPECT_EQ(drain().size(), 10U);
}

TEST_F(Timers, AnswerAsAModelDoes) {
  std::set<std::pair<Timestamp, std::string>> model;
  std::uint32_t state = 12345;
  const auto random = [&](std::uint32_t below) {
    state = state * 1664525U + 1013904223U;
    return (state >> 16) % below;
  };
  for (int step = 0; step < 20'000; ++step) {
    const std::string key = "k" + std::to_string(random(30));
    const Timestamp at = random(50);
    switch (random(4)) {
      case 0:
        remove(key, at);
        model.erase({at, key});
        break;
      case 1:
        ASSERT_EQ(queue.earliest() == nullptr, model.empty());
        if (model.empty()) break;
        ASSERT_EQ(queue.earliest()->at, model.begin()->first);
        model.erase({queue.earliest()->at, keys.key(queue.earliest()->key)});
        keys.set_current(queue.earliest()->key);
        (void)queue.take_earliest();
        break;
      default: add(key, at); model.emplace(at, key);
    }
    ASSERT_EQ(queue.size(), model.size());
  }
}

TEST_F(Timers, HoldTheirKey) {
  add("a", 10);
  keys.set_current(kNoKey);
  EXPECT_EQ(keys.live(), 1U);
  remove("a", 10);
  keys.set_current(kNoKey);
  EXPECT_EQ(keys.live(), 0U);
}

TEST_F(Timers, AreWrittenWholeOrAsNetChanges) {  // TM-12
  keys.track_changes(true);
  add("a", 10);
  add("b", 20);
  EXPECT_THAT(written(true), ElementsAre("[\"a\",10]", "[\"b\",20]"));
  remove("a", 10);
  add("c", 30);
  add("short-lived", 40);
  remove("short-lived", 40);
  EXPECT_THAT(written(false), ElementsAre("[\"b\",20]", "[\"c\",30]"));
  remove("b", 20);
  add("b", 20);
  kept = MemorySnapshot{};
  EXPECT_THAT(written(false), IsEmpty()) << "nothing changed on balance";
  keys.set_current(kNoKey);
  EXPECT_EQ(keys.live(), 2U);
}

TEST_F(Timers, RestoredOnesAreNoChange) {
  keys.track_changes(true);
  queue.restore(timer("a", 10));
  queue.restore(timer("a", 10));
  EXPECT_EQ(queue.size(), 1U);
  EXPECT_THAT(written(false), IsEmpty());
  EXPECT_THAT(drain(), ElementsAre("a@10"));
}

}  // namespace
}  // namespace sluice::detail
