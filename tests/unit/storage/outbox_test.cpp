#include "storage/outbox.hpp"

#include <thread>

#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::storage {
namespace {

constexpr Duration kNow{0};
constexpr Duration kLong{20000};

Publication alert(std::uint64_t sequence, std::string payload = "alert") {
  return {{sequence, 0}, Urgency::kAlert, "alert/flood/weir", std::move(payload), 1, false};
}
Publication value(std::string topic, std::uint64_t sequence, std::string payload = "value") {
  return {{sequence, 1}, Urgency::kValue, std::move(topic), std::move(payload), 0, false};
}
Publication status(std::string topic, std::uint64_t sequence, std::string payload = "status") {
  return {{sequence, 2}, Urgency::kStatus, std::move(topic), std::move(payload), 1, true};
}

std::string big(std::size_t size) { return std::string(size, 'x'); }

TEST(Outbox, HandsOutAlertsFirstThenStatusThenValues) {
  Outbox outbox{{}};
  outbox.add(value("v", 1));
  outbox.add(status("s", 2));
  outbox.add(alert(3));
  outbox.add(alert(4));
  EXPECT_EQ(outbox.take(kNow), alert(3));
  EXPECT_EQ(outbox.take(kNow), alert(4));
  EXPECT_EQ(outbox.take(kNow), status("s", 2));
  EXPECT_EQ(outbox.take(kNow), value("v", 1));
  EXPECT_EQ(outbox.take(kNow), std::nullopt);
  EXPECT_EQ(outbox.stats().in_flight, 4U);
}

TEST(Outbox, WakesThePublisher) {
  Outbox outbox{{}};
  std::thread engine{[&] { outbox.add(alert(1)); }};
  EXPECT_EQ(outbox.take(kLong), alert(1));
  engine.join();
}

TEST(Outbox, KeepsAnAlertUntilItIsDeliveredAndTellsThen) {
  std::vector<PublicationId> marks;
  Outbox outbox{{}, [&](const PublicationId& id) { marks.push_back(id); }};
  outbox.add(alert(1));
  const auto taken = outbox.take(kNow);
  ASSERT_TRUE(taken);
  EXPECT_EQ(outbox.snapshot(), std::vector<Publication>{alert(1)});
  outbox.returned(*taken);
  EXPECT_EQ(outbox.take(kNow), alert(1));
  EXPECT_TRUE(marks.empty());
  outbox.delivered(*taken);
  EXPECT_EQ(marks, (std::vector<PublicationId>{{1, 0}}));
  outbox.delivered(*taken);
  EXPECT_EQ(marks.size(), 1U) << "told once";
  EXPECT_TRUE(outbox.snapshot().empty());
  EXPECT_EQ(outbox.stats().bytes, 0U);
  EXPECT_EQ(outbox.stats().in_flight, 0U);
}

TEST(Outbox, AReturnedAlertGoesBackToItsPlace) {
  Outbox outbox{{}};
  for (std::uint64_t n = 1; n <= 3; ++n) outbox.add(alert(n));
  const auto first = *outbox.take(kNow);
  const auto second = *outbox.take(kNow);
  outbox.returned(second);
  outbox.returned(first);
  for (std::uint64_t n = 1; n <= 3; ++n) EXPECT_EQ(outbox.take(kNow), alert(n));
}

TEST(Outbox, KeepsOnlyTheNewestValueOfATopic) {
  Outbox outbox{{}};
  outbox.add(value("a", 1, "old"));
  outbox.add(value("b", 2));
  outbox.add(value("a", 3, "new"));
  EXPECT_EQ(outbox.take(kNow), value("a", 3, "new"));
  EXPECT_EQ(outbox.take(kNow), value("b", 2));
  EXPECT_EQ(outbox.stats().coalesced, 1U);
}

TEST(Outbox, ANewerValueReplacesAReturnedOne) {
  Outbox outbox{{}};
  outbox.add(status("a", 1, "old"));
  const auto old = *outbox.take(kNow);
  outbox.add(status("a", 2, "new"));
  outbox.returned(old);
  EXPECT_EQ(outbox.take(kNow), status("a", 2, "new"));
  EXPECT_EQ(outbox.take(kNow), std::nullopt);

  outbox.add(status("b", 3, "old"));
  const auto first = *outbox.take(kNow);
  outbox.add(status("b", 4, "new"));
  const auto second = *outbox.take(kNow);
  outbox.delivered(second);
  outbox.returned(first);
  EXPECT_EQ(outbox.take(kNow), std::nullopt) << "an old state must not overwrite a newer one";
}

TEST(Outbox, AReturnedValueIsSentAgainIfItIsStillTheNewest) {
  Outbox outbox{{}};
  outbox.add(value("a", 1));
  const auto taken = *outbox.take(kNow);
  outbox.returned(taken);
  EXPECT_EQ(outbox.take(kNow), value("a", 1));
  outbox.delivered(taken);
  EXPECT_EQ(outbox.stats().bytes, 0U);
}

TEST(Outbox, CountsRightWhereTwoHaveNoIdOfTheirOwn) {
  Outbox outbox{{}};
  outbox.add(status("s", 0, "a longer text"));
  const auto first = *outbox.take(kNow);
  outbox.add(status("s", 0, "short"));
  const auto second = *outbox.take(kNow);
  outbox.delivered(first);
  outbox.delivered(second);
  EXPECT_EQ(outbox.stats().bytes, 0U);
  EXPECT_EQ(outbox.stats().in_flight, 0U);
}

TEST(Outbox, ValuesGiveWayFirstAndAlertsLast) {
  OutboxOptions options;
  options.max_count = 4;
  Outbox outbox{options};
  outbox.add(value("v1", 1));
  outbox.add(value("v2", 2));
  outbox.add(status("s1", 3));
  outbox.add(alert(4));
  outbox.add(alert(5));
  EXPECT_EQ(outbox.stats().dropped_values, 1U);
  outbox.add(status("s2", 6));
  EXPECT_EQ(outbox.stats().dropped_values, 2U);
  outbox.add(value("v3", 7));
  EXPECT_EQ(outbox.stats().dropped_values, 3U) << "nothing gives way for a value";
  outbox.add(alert(8));
  outbox.add(alert(9));
  EXPECT_EQ(outbox.stats().dropped_status, 2U);
  outbox.add(alert(10));
  EXPECT_EQ(outbox.stats().dropped_alerts, 1U);
  const auto left = outbox.snapshot();
  ASSERT_EQ(left.size(), 4U);
  EXPECT_EQ(left.front(), alert(5));
  EXPECT_EQ(left.back(), alert(10));
}

TEST(Outbox, IsBoundedInBytes) {
  OutboxOptions options;
  options.max_bytes = 10000;
  Outbox outbox{options};
  for (std::uint64_t n = 1; n <= 100; ++n) outbox.add(alert(n, std::string(1000, 'x')));
  EXPECT_LE(outbox.stats().bytes, 10000U);
  EXPECT_EQ(outbox.stats().dropped_alerts + outbox.stats().waiting_alerts, 100U);
  outbox.add(alert(101, std::string(20000, 'x')));
  EXPECT_GT(outbox.stats().waiting_alerts, 0U) << "one that can never fit drives nothing out";
}

TEST(Outbox, CheckpointsAlertsAndStatusButNoValues) {
  Outbox outbox{{}};
  outbox.add(alert(1));
  outbox.add(alert(2));
  outbox.add(status("s1", 3));
  outbox.add(status("s2", 4));
  outbox.add(value("v", 5));
  for (int n = 0; n < 3; ++n) ASSERT_TRUE(outbox.take(kNow));
  const auto kept = outbox.snapshot();
  ASSERT_EQ(kept.size(), 4U);
  EXPECT_EQ(kept[0], alert(1));
  EXPECT_EQ(kept[1], alert(2));
  EXPECT_EQ(kept[2], status("s2", 4));
  EXPECT_EQ(kept[3], status("s1", 3));
}

TEST(Outbox, ReplayDoesNotSendWhatWasDelivered) {
  OutboxOptions options;
  options.gate_closed = true;
  Outbox outbox{options};
  outbox.expect_again({{77, 0}, {1, 0}});
  for (const unsigned n : {1U, 1U, 2U}) outbox.add(alert(n));
  EXPECT_EQ(outbox.take(kNow), alert(2));
  EXPECT_EQ(outbox.take(kNow), std::nullopt);
  outbox.open_gate();
  EXPECT_EQ(outbox.take(kNow), std::nullopt);
  EXPECT_EQ(outbox.stats().in_flight, 1U);
}

TEST(Outbox, SendsAlertsOfAReplayAtOnceAndTheRestBehindIt) {
  OutboxOptions options;
  options.gate_closed = true;
  Outbox outbox{options};
  outbox.add(value("v", 1));
  outbox.add(status("s", 1));
  outbox.add(alert(2));
  EXPECT_EQ(outbox.take(kNow), alert(2));
  EXPECT_EQ(outbox.take(kNow), std::nullopt);
  outbox.add(value("v", 3));
  outbox.open_gate();
  EXPECT_EQ(outbox.take(kNow), status("s", 1));
  EXPECT_EQ(outbox.take(kNow), value("v", 3));
}

TEST(Outbox, AsksToWaitWhileAlertsCrowdIt) {
  OutboxOptions options;
  options.max_count = 8;
  Outbox outbox{options};
  for (std::uint64_t n = 1; n <= 6; ++n) {
    EXPECT_TRUE(outbox.wait_for_room(kNow)) << n;
    outbox.add(alert(n));
  }
  EXPECT_FALSE(outbox.wait_for_room(kNow));
  outbox.add(value("v", 7));
  const auto first = outbox.take(kNow);
  EXPECT_FALSE(outbox.wait_for_room(kNow)) << "what is in flight needs its room";
  std::thread publisher{[&] { outbox.delivered(*first); }};
  EXPECT_TRUE(outbox.wait_for_room(kLong));
  publisher.join();
}

TEST(Outbox, AsksToWaitWhileAlertsAreLargeAndNotForValues) {
  OutboxOptions options;
  options.max_bytes = 8000;
  Outbox outbox{options};
  for (std::uint64_t n = 1; n <= 20; ++n) outbox.add(value("v" + std::to_string(n), n, big(150)));
  EXPECT_TRUE(outbox.wait_for_room(kNow));
  outbox.add(alert(30, big(3000)));
  EXPECT_TRUE(outbox.wait_for_room(kNow));
  outbox.add(alert(31, big(3000)));
  EXPECT_FALSE(outbox.wait_for_room(kNow));
  EXPECT_EQ(outbox.stats().dropped_alerts, 0U);
}

TEST(Outbox, DoesNotWaitForABrokerThatIsAway) {
  OutboxOptions options;
  options.max_count = 4;
  options.away_after = kNow;
  Outbox outbox{options};
  for (std::uint64_t n = 1; n <= 6; ++n) {
    EXPECT_TRUE(outbox.wait_for_room(kLong));
    outbox.add(alert(n));
  }
  EXPECT_EQ(outbox.take(kNow), alert(3)) << "the oldest give way";
  EXPECT_EQ(outbox.stats().dropped_alerts, 2U);
}

TEST(Outbox, HandsOutRetainedStatesOnceMoreAfterAConnection) {
  Outbox outbox{{}};
  const auto deliver_all = [&] {
    std::vector<Publication> all;
    while (auto one = outbox.take(kNow)) {
      outbox.delivered(*one);
      all.push_back(*one);
    }
    return all;
  };
  outbox.on_connected();
  outbox.add(status("s1", 1));
  outbox.add(status("s2", 2, "old"));
  outbox.add(status("detail", 0));
  outbox.add(value("v", 3));
  outbox.add(alert(4));
  EXPECT_EQ(deliver_all().size(), 5U);
  outbox.add(status("s2", 5, "new"));
  EXPECT_EQ(deliver_all().size(), 1U);
  outbox.on_connected();
  EXPECT_EQ(deliver_all(), (std::vector<Publication>{status("s1", 1), status("s2", 5, "new")}));
  outbox.add(status("s1", 6, "newer"));
  outbox.on_connected();
  EXPECT_EQ(deliver_all(),
            (std::vector<Publication>{status("s1", 6, "newer"), status("s2", 5, "new")}));
  EXPECT_EQ(outbox.stats().bytes, 0U);
}

TEST(Outbox, RemembersAsManyRetainedStatesAsAQuarterOfItHolds) {
  OutboxOptions options;
  options.max_bytes = 16'000;
  Outbox outbox{options};
  for (std::uint64_t n = 1; n <= 100; ++n) {
    outbox.add(status("s" + std::to_string(n), n, big(100)));
    outbox.delivered(*outbox.take(kNow));
  }
  outbox.on_connected();
  const auto waiting = outbox.stats();
  EXPECT_GT(waiting.waiting_status, 5U);
  EXPECT_LT(waiting.bytes, 4'000U);
  EXPECT_EQ(outbox.snapshot().back().topic, "s100") << "the oldest are forgotten";
}

TEST(Outbox, HoldsAlertsUntilTheirCauseIsDurable) {
  OutboxOptions options;
  options.hold_until_durable = true;
  Outbox outbox{options};
  outbox.add(alert(5));
  outbox.add(alert(9));
  outbox.add({{0, 7}, Urgency::kAlert, "alert/disk", "made outside the engine", 1, false});
  outbox.add(value("v", 9));
  EXPECT_EQ(outbox.take(kNow)->topic, "alert/disk");
  EXPECT_EQ(outbox.take(kNow), value("v", 9));
  EXPECT_EQ(outbox.take(kNow), std::nullopt);
  outbox.set_durable_through(5);
  EXPECT_EQ(outbox.take(kNow), alert(5));
  EXPECT_EQ(outbox.take(kNow), std::nullopt);
  outbox.set_durable_through(~std::uint64_t{0});
  EXPECT_EQ(outbox.take(kNow), alert(9));
}

}  // namespace
}  // namespace sluice::storage
