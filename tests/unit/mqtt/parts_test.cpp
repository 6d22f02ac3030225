// The small parts that need no broker: window, copies, back-off, reasons.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/mqtt/backoff.hpp"
#include "plugins/mqtt/copies.hpp"
#include "plugins/mqtt/reasons.hpp"
#include "plugins/mqtt/topic_filter.hpp"
#include "plugins/mqtt/window.hpp"
#include "tests/support/mosquitto.hpp"

namespace sluice::mqtt {
namespace {

using ::testing::HasSubstr;

Publication numbered(std::uint64_t number) {
  Publication out;
  out.id.sequence = number;
  return out;
}

TEST(Window, GivesEachPublicationBackOnceOnly) {
  const Window::Time now{};
  Window window{2};
  const auto first = window.add(numbered(1), now);
  const auto second = window.add(numbered(2), now + std::chrono::seconds{1});
  EXPECT_TRUE(window.is_full());
  ASSERT_TRUE(window.remove(first));
  EXPECT_FALSE(window.remove(first));
  EXPECT_FALSE(window.is_full());
  EXPECT_EQ(window.remove_all().size(), 1U);
  EXPECT_FALSE(window.remove(second));
  EXPECT_TRUE(window.is_empty());
}

TEST(Window, GivesBackWhatIsOverdueOldestFirst) {
  const Window::Time now{};
  Window window{5};
  for (std::uint64_t i = 0; i < 5; ++i) window.add(numbered(i), now + std::chrono::seconds{i});
  EXPECT_EQ(window.next_deadline(), now);
  const auto overdue = window.remove_overdue(now + std::chrono::seconds{2});
  ASSERT_EQ(overdue.size(), 3U);
  EXPECT_EQ(overdue.front().id.sequence, 0U);
  EXPECT_EQ(overdue.back().id.sequence, 2U);
  EXPECT_EQ(window.next_deadline(), now + std::chrono::seconds{3});
}

TEST(Copies, AreNewsOncePerGroupInAnyOrder) {
  Copies copies;
  EXPECT_TRUE(copies.is_news("t", "p", 1, false));
  EXPECT_FALSE(copies.is_news("t", "p", 2, false));
  EXPECT_FALSE(copies.is_news("t", "p", 3, false));
  EXPECT_TRUE(copies.is_news("t", "p", 3, false));
  EXPECT_FALSE(copies.is_news("t", "p", 1, false));
  EXPECT_FALSE(copies.is_news("t", "p", 2, false));
}

TEST(Copies, NeverSwallowAlikeMessagesOfOneSubscription) {
  Copies copies;
  for (int i = 0; i < 1'000; ++i) EXPECT_TRUE(copies.is_news("t", "p", 1, false));
}

TEST(Copies, PairUpAlikeMessagesThatComeInRows) {
  Copies copies;
  int news = 0;
  for (const unsigned id : {1U, 1U, 1U, 2U, 2U, 2U, 2U, 1U})
    if (copies.is_news("t", "p", id, false)) ++news;
  EXPECT_EQ(news, 4);
}

TEST(Copies, DifferByTopicAndPayload) {
  Copies copies;
  EXPECT_TRUE(copies.is_news("t", "p", 1, false));
  EXPECT_TRUE(copies.is_news("t", "q", 2, false));
  EXPECT_TRUE(copies.is_news("u", "p", 2, false));
}

TEST(Copies, SentAgainAreNewsAgainOnlyIfTheyWereNews) {
  Copies copies;
  EXPECT_TRUE(copies.is_news("t", "p", 1, false));
  EXPECT_FALSE(copies.is_news("t", "p", 2, false));
  EXPECT_TRUE(copies.is_news("t", "p", 1, true));
  EXPECT_FALSE(copies.is_news("t", "p", 2, true));
}

TEST(Backoff, IsQuickFirstThenDoublesUpToItsLimit) {
  Backoff backoff{Duration{1'000}, Duration{5'000}};
  for (int round = 0; round < 2; ++round) {
    for (const int nominal : {100, 1'000, 2'000, 4'000, 5'000, 5'000}) {
      const Duration pause = backoff.next();
      EXPECT_LE(pause, Duration{nominal});
      EXPECT_GE(pause, Duration{nominal * 4 / 5});
    }
    backoff.reset();
  }
}

TEST(Overlap, IsFoundBetweenFilters) {
  const auto overlaps = [](const char* a, const char* b) {
    const bool one = overlap(TopicFilter{a}, TopicFilter{b});
    EXPECT_EQ(one, overlap(TopicFilter{b}, TopicFilter{a})) << a << " " << b;
    return one;
  };
  EXPECT_TRUE(overlaps("a/b", "a/b"));
  EXPECT_TRUE(overlaps("a/+", "+/b"));
  EXPECT_TRUE(overlaps("a/#", "a"));
  EXPECT_TRUE(overlaps("#", "a/b/c"));
  EXPECT_TRUE(overlaps("a/+/c/#", "a/b/#"));
  EXPECT_TRUE(overlaps("$share/g/a/#", "a/b"));
  EXPECT_FALSE(overlaps("a/b", "a/c"));
  EXPECT_FALSE(overlaps("a/+", "a/b/c"));
  EXPECT_FALSE(overlaps("a/+/c", "a/b/d"));
  EXPECT_FALSE(overlaps("a", "a/b"));
}

std::string explained(int code, const std::string& uri, const MqttOptions& options) {
  Resolver resolver{Duration{1'000}};
  return explain(code, uri, options, resolver, [] { return false; });
}

TEST(Reasons, OfOldAndNewCodesNameTheCure) {
  MqttOptions options;
  options.credentials_file = "/etc/sluice/mqtt.secret";
  const std::string uri = "tcp://host:1883";
  for (const int code : {4, 5, 0x86, 0x87})
    EXPECT_EQ(explained(code, uri, options),
              "not authorised by tcp://host:1883: check user name and password in "
              "/etc/sluice/mqtt.secret");
  EXPECT_THAT(explained(0x84, uri, options), HasSubstr("set 'protocol' to \"3.1.1\""));
  EXPECT_THAT(explained(2, uri, options), HasSubstr("another 'client_id' than \"sluice\""));
  EXPECT_EQ(explained(0x89, uri, options),
            "connection refused by tcp://host:1883: broker busy (0x89)");
  EXPECT_THAT(explain_disconnect(0x8E, "a-in"),
              HasSubstr("another client has connected as \"a-in\""));
  EXPECT_THAT(explain_disconnect(0x8B, "a-in"), HasSubstr("broker shutting down (0x8B)"));
  EXPECT_EQ(reason_words(0xFE), "reason code 0xFE");
}

TEST(Reasons, OfTheNetworkAreFoundOutByTrying) {
  Resolver resolver{Duration{20'000}};
  const auto fault = [&](const std::string& uri) {
    const auto socket = reach(uri, resolver, [] { return false; });
    return socket ? std::string{} : socket.error().message();
  };
  const std::string port = std::to_string(test::free_port());
  EXPECT_EQ(fault("tcp://127.0.0.1:" + port),
            "connection refused: is a broker listening at tcp://127.0.0.1:" + port + "?");
  EXPECT_THAT(fault("tcp://no-such-host.invalid:1883"),
              HasSubstr("host name no-such-host.invalid cannot be looked up"));
  test::MosquittoBroker broker;
  EXPECT_EQ(fault("tcp://127.0.0.1:" + std::to_string(broker.port())), "");
}

}  // namespace
}  // namespace sluice::mqtt
