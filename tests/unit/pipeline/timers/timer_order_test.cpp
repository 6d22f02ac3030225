#include "pipeline/timers/timer_order.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "pipeline/state/typed_key_space.hpp"

namespace sluice::detail {
namespace {

using Model = std::multiset<Timer, FiringOrder>;

/// Keys whose index is their number.
struct Keys {
  explicit Keys(std::int64_t count) {
    for (std::int64_t key = 0; key < count; ++key) (void)space.intern(Datum{key});
  }
  Timer timer(Timestamp at, KeyIndex key) const { return {at, key, space.rank(key)}; }

  TypedKeySpace<std::int64_t> space;
  FiringOrder earlier{space};
};

void expect_same_front(TimerOrder& order, const Model& model) {
  ASSERT_EQ(order.size(), model.size());
  if (model.empty()) return;
  ASSERT_EQ(order.front(), *model.begin());
}

/// Pushes and pops at random, with times up to `spread` ahead of a clock that moves on.
void compare(std::uint64_t seed, std::size_t most, Timestamp spread) {
  std::mt19937_64 random{seed};
  const Keys keys{50};
  TimerOrder order{keys.earlier};
  Model model{keys.earlier};
  Timestamp now = -1'000'000;
  for (int step = 0; step < 40'000; ++step) {
    const bool push = model.empty() || (model.size() < most && random() % 8 != 0);
    if (push) {
      const auto ahead = static_cast<Timestamp>(random() % static_cast<std::uint64_t>(spread));
      const Timer timer = keys.timer(now + ahead - 100, static_cast<KeyIndex>(random() % 50));
      order.push(timer);
      model.insert(timer);
    } else {
      ASSERT_EQ(order.front(), *model.begin()) << "seed " << seed << ", step " << step;
      now = std::max(now, order.front().at);
      order.pop();
      model.erase(model.begin());
    }
    if (step % 100 == 0) expect_same_front(order, model);
  }
  while (!model.empty()) {
    expect_same_front(order, model);
    order.pop();
    model.erase(model.begin());
  }
  EXPECT_TRUE(order.empty());
}

TEST(TimerOrder, GivesFewTimersInOrder) { compare(1, 100, 10'000); }

TEST(TimerOrder, GivesManyTimersInOrder) {
  compare(2, 20'000, 10'000);       // all within a few buckets
  compare(3, 20'000, 4'000'000);    // over the ring
  compare(4, 20'000, 400'000'000);  // mostly beyond it
  compare(5, 20'000, Timestamp{1} << 60);
}

TEST(TimerOrder, TakesTheEarliestAndTheLatestTimes) {
  const Keys keys{5'000};
  TimerOrder order{keys.earlier};
  std::vector<Timer> timers;
  for (KeyIndex key = 0; key < 5'000; ++key) timers.push_back(keys.timer(kMaxTimestamp, key));
  std::vector<Timer> sorted = timers;
  std::sort(sorted.begin(), sorted.end(), keys.earlier);
  timers.push_back(keys.timer(kMinTimestamp, 7));
  timers.push_back(keys.timer(0, 7));
  order.assign(timers);
  EXPECT_EQ(order.front(), (Timer{kMinTimestamp, 7}));
  order.pop();
  EXPECT_EQ(order.front(), (Timer{0, 7}));
  order.pop();
  order.push(keys.timer(kMaxTimestamp - 1, 9));
  EXPECT_EQ(order.front(), (Timer{kMaxTimestamp - 1, 9}));
  order.pop();
  for (const Timer& timer : sorted) {
    ASSERT_EQ(order.front(), timer);
    order.pop();
  }
  EXPECT_TRUE(order.empty());
}

TEST(TimerOrder, ForgetsWhatItHadWhenAssigned) {
  const Keys keys{10'000};
  TimerOrder order{keys.earlier};
  for (KeyIndex key = 0; key < 10'000; ++key) order.push(keys.timer(key * 997, key));
  EXPECT_EQ(order.front().at, 0);
  order.assign({keys.timer(5, 1), keys.timer(3, 2)});
  EXPECT_EQ(order.size(), 2U);
  EXPECT_EQ(order.front(), (Timer{3, 2}));
}

/// All keys of one rank, as two of many may be.
struct Alike {
  int number{};
  friend bool operator==(const Alike&, const Alike&) = default;
};
SLUICE_FIELDS(Alike, number)

}  // namespace
}  // namespace sluice::detail

template <>
struct std::hash<sluice::detail::Alike> {
  std::size_t operator()(const sluice::detail::Alike&) const { return 1; }
};

namespace sluice::detail {
namespace {

TEST(TimerOrder, OfOneTimeAndRankIsThatOfTheKeysNotOfTheirIndexes) {  // TM-07
  for (const std::vector<int>& interned : {std::vector{1, 2, 3, 4}, std::vector{4, 2, 1, 3}}) {
    TypedKeySpace<Alike> keys;
    TimerOrder order{FiringOrder{keys}};
    for (const int number : interned) {
      keys.select({number});
      keys.retain(keys.current());
      order.push({10, keys.current(), keys.rank(keys.current())});
    }
    std::vector<int> fired;
    for (; !order.empty(); order.pop()) fired.push_back(keys.key(order.front().key).number);
    EXPECT_EQ(fired, (std::vector{1, 2, 3, 4}));
  }
}

}  // namespace
}  // namespace sluice::detail
