// Brokers that do not answer, or say no: what becomes of the connection, and what is said about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/mute_broker.hpp"
#include "tests/unit/mqtt/recorders.hpp"

namespace sluice::mqtt {
namespace {

using test::MuteBroker;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Options that give an answer a second.
MqttOptions hasty(const MuteBroker& broker, int version) {
  MqttOptions options = test_options(broker.uri(), version);
  options.connect_timeout = Duration{1'000};
  options.publish_timeout = Duration{1'000};
  return options;
}

class Answers : public ::testing::TestWithParam<int> {
 protected:
  void receive(std::vector<Subscription> subscriptions, std::vector<std::string> former = {}) {
    source = make_source(hasty(broker, GetParam()), std::move(subscriptions), observer, log,
                         std::move(former));
    ASSERT_TRUE(source->start(handler));
  }
  void send() {
    sink = make_sink(hasty(broker, GetParam()), observer, log);
    queue.put({{1, 0}, Urgency::kAlert, "alerts/a", "x", 1, false});
    ASSERT_TRUE(sink->start(queue));
  }
  bool wait_for_former(const std::vector<std::string>& wanted) {
    const auto until = std::chrono::steady_clock::now() + test::kLimit;
    while (source->former_filters() != wanted) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
    return true;
  }
  int times_connected() const {
    int count = 0;
    for (const Change& change : observer.changes.all())
      if (change.connected) ++count;
    return count;
  }

  MuteBroker broker;
  RecordingObserver observer;
  RecordingLog log;
  RecordingHandler handler;
  TestQueue queue;
  std::unique_ptr<MessageSource> source;
  std::unique_ptr<PublicationSink> sink;
};
INSTANTIATE_TEST_SUITE_P(Mqtt, Answers, ::testing::Values(3, 5));

TEST_P(Answers, ToASubscriptionMissingMakeANewConnectionAndAreSaid) {
  broker.ignore(MuteBroker::kSubscribe);
  receive({{"river", "levels/#", 1}});
  ASSERT_TRUE(observer.wait_for_reason(
      "tcp://127.0.0.1:" + std::to_string(broker.port()) +
      " accepts the connection, but has not answered the subscription to \"levels/#\" within 1 s"));
  ASSERT_TRUE(broker.wait_for_count(MuteBroker::kConnect, 3));
  EXPECT_EQ(times_connected(), 0);
  for (const Change& change : observer.changes.all())
    EXPECT_THAT(change.reason, Not(HasSubstr("another client")));
  broker.ignore(MuteBroker::kSubscribe, false);
  EXPECT_TRUE(observer.wait_for_connected(true));
}

TEST_P(Answers, ToConnectMissingAreTriedAgain) {
  broker.ignore(MuteBroker::kConnect);
  receive({{"river", "levels/#", 1}});
  ASSERT_TRUE(observer.wait_for_reason("no MQTT broker answers at tcp://127.0.0.1:"));
  ASSERT_TRUE(broker.wait_for_count(MuteBroker::kConnect, 2));
  broker.ignore(MuteBroker::kConnect, false);
  EXPECT_TRUE(observer.wait_for_connected(true));
}

TEST_P(Answers, ToAPublicationMissingKeepTheSinkFromCountingAsConnected) {
  broker.ignore(MuteBroker::kPublish);
  send();
  ASSERT_TRUE(observer.wait_for_reason(
      " has not acknowledged the publication on \"alerts/a\" within 1 s: is it overloaded?"));
  ASSERT_TRUE(broker.wait_for_count(MuteBroker::kConnect, 3));
  EXPECT_EQ(times_connected(), 1);
  broker.ignore(MuteBroker::kPublish, false);
  ASSERT_TRUE(queue.wait_for_delivered(1));
  EXPECT_TRUE(observer.wait_for_connected(true));
  EXPECT_EQ(queue.violations(), 0U);
}

TEST_P(Answers, ToTakingASubscriptionBackMissingAreSaidAndAskedForAgain) {
  broker.ignore(MuteBroker::kUnsubscribe);
  receive({{"b", "b/#", 1}}, {"old/#"});
  ASSERT_TRUE(observer.wait_for_connected(true));
  EXPECT_THAT(source->former_filters(), ElementsAre("old/#"));
  ASSERT_TRUE(observer.faults.wait_for_count(1));
  EXPECT_THAT(observer.faults.all().front(),
              HasSubstr("has not answered the request to take back the subscription to \"old/#\""));
  EXPECT_THAT(source->former_filters(), ElementsAre("old/#"));
  ASSERT_TRUE(broker.wait_for_count(MuteBroker::kUnsubscribe, 2));
  broker.ignore(MuteBroker::kUnsubscribe, false);
  EXPECT_TRUE(wait_for_former({}));
  EXPECT_TRUE(observer.overs.wait_for_count(1));
  EXPECT_EQ(broker.count(MuteBroker::kConnect), 1U) << "it is no reason to begin anew";
}

TEST_P(Answers, OfTakingASubscriptionBackAreRememberedOnceTheyCome) {
  receive({{"b", "b/#", 1}}, {"old/#", "older"});
  EXPECT_TRUE(wait_for_former({}));
  EXPECT_EQ(broker.count(MuteBroker::kUnsubscribe), 2U);
  broker.hang_up();
  ASSERT_TRUE(broker.wait_for_count(MuteBroker::kSubscribe, 2));
  ASSERT_TRUE(observer.wait_for_connected(true));
  EXPECT_EQ(broker.count(MuteBroker::kUnsubscribe), 2U) << "what it has taken back it has";
}

TEST_P(Answers, ThatRefuseASubscriptionAreAskedForAgainUntilItIsGranted) {
  broker.answer(MuteBroker::kSubscribe, 0x80);
  receive({{"river", "levels/#", 1}, {"pump", "pump/#", 1}});
  ASSERT_TRUE(observer.wait_for_connected(true));
  ASSERT_TRUE(observer.faults.wait_for_count(2));
  EXPECT_THAT(
      observer.faults.all().front(),
      HasSubstr("refuses the subscription to \"levels/#\": refused without a reason (0x80)"));
  EXPECT_THAT(observer.faults.all().back(), HasSubstr("(and 1 more"));
  ASSERT_TRUE(broker.wait_for_count(MuteBroker::kSubscribe, 4));
  broker.answer(MuteBroker::kSubscribe, 1);
  EXPECT_TRUE(observer.overs.wait_for_count(1));
  EXPECT_EQ(broker.count(MuteBroker::kConnect), 1U);
}

TEST_P(Answers, ThatGrantLessThanWasAskedForAreSaid) {
  broker.answer(MuteBroker::kSubscribe, 0);
  receive({{"river", "levels/#", 1}});
  ASSERT_TRUE(observer.faults.wait_for_count(1));
  EXPECT_THAT(observer.faults.all().front(), HasSubstr("grants only QoS 0 for \"levels/#\""));
  EXPECT_THAT(observer.faults.all().front(), HasSubstr("messages may be lost"));
}

// 3.1.1 has no codes for these two.
TEST(AnswersOfVersion5, ThatRefuseToTakeASubscriptionBackLeaveItToBeAskedForAgain) {
  MuteBroker broker;
  broker.answer(MuteBroker::kUnsubscribe, 0x87);
  RecordingObserver observer;
  RecordingLog log;
  RecordingHandler handler;
  const auto source = make_source(hasty(broker, 5), {{"b", "b/#", 1}}, observer, log, {"old/#"});
  ASSERT_TRUE(source->start(handler));
  ASSERT_TRUE(observer.faults.wait_for_count(1));
  EXPECT_THAT(
      observer.faults.all().front(),
      HasSubstr("refuses to take back the subscription to \"old/#\": not authorised (0x87)"));
  EXPECT_THAT(source->former_filters(), ElementsAre("old/#"));
  ASSERT_TRUE(broker.wait_for_count(MuteBroker::kUnsubscribe, 3));
  broker.answer(MuteBroker::kUnsubscribe, 0);
  ASSERT_TRUE(observer.overs.wait_for_count(1));
  EXPECT_THAT(source->former_filters(), IsEmpty());
}

TEST(AnswersOfVersion5, ThatRefuseAPublicationAreOverOnceItIsTaken) {
  MuteBroker broker;
  broker.answer(MuteBroker::kPublish, 0x87);
  RecordingObserver observer;
  RecordingLog log;
  TestQueue queue;
  const auto sink = make_sink(hasty(broker, 5), observer, log);
  queue.put({{1, 0}, Urgency::kAlert, "alerts/a", "x", 1, false});
  ASSERT_TRUE(sink->start(queue));
  ASSERT_TRUE(observer.faults.wait_for_count(1));
  broker.answer(MuteBroker::kPublish, 0);
  ASSERT_TRUE(queue.wait_for_delivered(1));
  EXPECT_TRUE(observer.overs.wait_for_count(1));
}

}  // namespace
}  // namespace sluice::mqtt
