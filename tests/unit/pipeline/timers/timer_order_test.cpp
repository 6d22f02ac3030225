#include "pipeline/timers/timer_order.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace sluice::detail {
namespace {

struct Earlier {
  bool operator()(const Timer& a, const Timer& b) const { return earlier(a, b); }
};
using Model = std::multiset<Timer, Earlier>;

void expect_same_front(TimerOrder& order, const Model& model) {
  ASSERT_EQ(order.size(), model.size());
  if (model.empty()) return;
  ASSERT_EQ(order.front(), *model.begin());
}

/// Pushes and pops at random, with times up to `spread` ahead of a clock that moves on.
void compare(std::uint64_t seed, std::size_t most, Timestamp spread) {
  std::mt19937_64 random{seed};
  TimerOrder order;
  Model model;
  Timestamp now = -1'000'000;
  for (int step = 0; step < 40'000; ++step) {
    const bool push = model.empty() || (model.size() < most && random() % 8 != 0);
    if (push) {
      const auto ahead = static_cast<Timestamp>(random() % static_cast<std::uint64_t>(spread));
      const Timer timer{now + ahead - 100, static_cast<KeyIndex>(random() % 50)};
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
  TimerOrder order;
  std::vector<Timer> timers;
  for (KeyIndex key = 0; key < 5'000; ++key) timers.push_back({kMaxTimestamp, key});
  timers.push_back({kMinTimestamp, 7});
  timers.push_back({0, 7});
  order.assign(timers);
  EXPECT_EQ(order.front(), (Timer{kMinTimestamp, 7}));
  order.pop();
  EXPECT_EQ(order.front(), (Timer{0, 7}));
  order.pop();
  order.push({kMaxTimestamp - 1, 9});
  EXPECT_EQ(order.front(), (Timer{kMaxTimestamp - 1, 9}));
  order.pop();
  for (KeyIndex key = 0; key < 5'000; ++key) {
    ASSERT_EQ(order.front(), (Timer{kMaxTimestamp, key}));
    order.pop();
  }
  EXPECT_TRUE(order.empty());
}

TEST(TimerOrder, ForgetsWhatItHadWhenAssigned) {
  TimerOrder order;
  for (KeyIndex key = 0; key < 10'000; ++key) order.push({key * 997, key});
  EXPECT_EQ(order.front().at, 0);
  order.assign({{5, 1}, {3, 2}});
  EXPECT_EQ(order.size(), 2U);
  EXPECT_EQ(order.front(), (Timer{3, 2}));
}

}  // namespace
}  // namespace sluice::detail
