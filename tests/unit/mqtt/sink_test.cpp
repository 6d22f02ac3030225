#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>

#include "tests/support/mosquitto.hpp"
#include "tests/support/mqtt_probe.hpp"
#include "tests/unit/mqtt/child.hpp"
#include "tests/unit/mqtt/recorders.hpp"

namespace sluice::mqtt {
namespace {

using test::MosquittoBroker;
using test::MqttProbe;
using test::ProbeMessage;
using ::testing::HasSubstr;

constexpr Duration kPatience{20'000};

/// Everything a sink needs, and the sink.
struct Running {
  explicit Running(MqttOptions options) : sink{make_sink(std::move(options), observer, log)} {}

  RecordingObserver observer;
  RecordingLog log;
  TestQueue queue;
  std::unique_ptr<PublicationSink> sink;
};

Publication alert(std::uint64_t number, int qos = 1) {
  return {{number, 0}, Urgency::kAlert, "alerts/a", std::to_string(number), qos, false};
}

// How often each payload came.
std::map<std::string, int> tally(const MqttProbe::Messages& messages) {
  std::map<std::string, int> out;
  for (const ProbeMessage& one : messages) ++out[one.payload];
  return out;
}

class SinkOfVersion : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Mqtt, SinkOfVersion, ::testing::Values(3, 5));

TEST_P(SinkOfVersion, DeliversEachPublicationOnceWithinItsWindow) {
  MosquittoBroker broker{{.persistence = false,
                          .users = {},
                          .listener_lines = "",
                          .global_lines = "max_queued_messages 0\n",
                          .start = true}};
  MqttProbe probe{broker.uri()};
  probe.subscribe("alerts/#");
  Running running{test_options(broker.uri(), GetParam())};
  for (std::uint64_t i = 0; i < 1'000; ++i) running.queue.put(alert(i));
  ASSERT_TRUE(running.sink->start(running.queue));
  ASSERT_TRUE(running.queue.wait_for_delivered(1'000));
  ASSERT_TRUE(probe.wait_for([](const auto& all) { return all.size() >= 1'000; }));
  running.sink->stop(kPatience);

  EXPECT_EQ(probe.count(), 1'000U);
  EXPECT_EQ(tally(probe.messages()).size(), 1'000U);
  EXPECT_EQ(running.queue.returned_count(), 0U);
  EXPECT_EQ(running.queue.violations(), 0U);
  // Those that are acknowledged but not yet told count as open too, at most a window of them.
  EXPECT_LE(running.queue.most_open(), 40U);
  EXPECT_EQ(running.observer.connectors.all().front(), "sink");
}

TEST_P(SinkOfVersion, SendsEachQualityOfServiceAndRetain) {
  MosquittoBroker broker;
  MqttProbe probe{broker.uri()};
  probe.subscribe("out/#", 2);
  Running running{test_options(broker.uri(), GetParam())};
  for (int qos = 0; qos < 3; ++qos)
    running.queue.put({{1, static_cast<std::uint32_t>(qos)},
                       Urgency::kValue,
                       "out/" + std::to_string(qos),
                       std::string{"\0x", 2},
                       qos,
                       qos == 1});
  ASSERT_TRUE(running.sink->start(running.queue));
  ASSERT_TRUE(running.queue.wait_for_delivered(3));
  ASSERT_TRUE(probe.wait_for([](const auto& all) { return all.size() == 3; }));
  for (const ProbeMessage& one : probe.messages()) {
    EXPECT_EQ("out/" + std::to_string(one.qos), one.topic);
    EXPECT_EQ(one.payload, (std::string{"\0x", 2}));
  }
  MqttProbe later{broker.uri()};
  later.subscribe("out/#");
  EXPECT_TRUE(later.wait_for(
      [](const auto& all) { return all.size() == 1 && all[0].retain && all[0].topic == "out/1"; }));
}

TEST_P(SinkOfVersion, SendsWhatWaitedOnceTheBrokerIsThere) {
  MosquittoBroker broker{{.persistence = false,
                          .users = {},
                          .listener_lines = "",
                          .global_lines = "",
                          .start = false}};
  Running running{test_options(broker.uri(), GetParam())};
  for (std::uint64_t i = 0; i < 50; ++i) running.queue.put(alert(i));
  ASSERT_TRUE(running.sink->start(running.queue));
  ASSERT_TRUE(running.observer.wait_for_reason("connection refused"));
  EXPECT_EQ(running.queue.waiting_count(), 50U);
  broker.start();
  EXPECT_TRUE(running.queue.wait_for_delivered(50));
}

TEST_P(SinkOfVersion, SendsAgainWhatABrokerThatDiedHadNotAcknowledged) {
  MosquittoBroker broker;
  Running running{test_options(broker.uri(), GetParam())};
  ASSERT_TRUE(running.sink->start(running.queue));
  running.queue.put(alert(0));
  ASSERT_TRUE(running.queue.wait_for_delivered(1));
  broker.freeze();
  for (std::uint64_t i = 1; i <= 50; ++i) running.queue.put(alert(i));
  ASSERT_TRUE(running.queue.wait_for_open(20));  // the window, and no more
  broker.kill();
  ASSERT_TRUE(running.queue.wait_for_returned(20));
  EXPECT_EQ(running.queue.delivered_count(), 1U);
  broker.start();
  ASSERT_TRUE(running.queue.wait_for_delivered(51));
  running.sink->stop(kPatience);
  EXPECT_EQ(running.queue.open_count(), 0U);
  EXPECT_EQ(running.queue.violations(), 0U);
}

TEST_P(SinkOfVersion, SendsAgainOverANewConnectionIfNothingIsAcknowledgedInTime) {
  MosquittoBroker broker;
  MqttOptions options = test_options(broker.uri(), GetParam());
  options.publish_timeout = Duration{1'000};
  options.connect_timeout = Duration{1'000};
  Running running{options};
  ASSERT_TRUE(running.sink->start(running.queue));
  ASSERT_TRUE(running.observer.wait_for_connected(true));
  broker.freeze();
  running.queue.put(alert(1));
  ASSERT_TRUE(running.queue.wait_for_returned(1));
  ASSERT_TRUE(running.observer.wait_for_reason(
      " has not acknowledged the publication on \"alerts/a\" within 1 s"));
  broker.thaw();
  ASSERT_TRUE(running.queue.wait_for_delivered(1));
  EXPECT_EQ(running.queue.violations(), 0U);
}

TEST_P(SinkOfVersion, SaysOnlineAndOfflineOnItsStatusTopic) {
  MosquittoBroker broker;
  MqttProbe probe{broker.uri()};
  probe.subscribe("site/status");
  MqttOptions options = test_options(broker.uri(), GetParam());
  options.status_topic = "site/status";
  Running running{options};
  ASSERT_TRUE(running.sink->start(running.queue));
  ASSERT_TRUE(probe.wait_for_message("site/status", "online"));
  running.sink->stop(kPatience);
  ASSERT_TRUE(probe.wait_for_message("site/status", "offline"));
  MqttProbe later{broker.uri()};
  later.subscribe("site/status");
  ASSERT_TRUE(later.wait_for([](const auto& all) { return !all.empty(); }));
  EXPECT_EQ(later.messages(), (MqttProbe::Messages{{"site/status", "offline", 1, true}}));
}

TEST_P(SinkOfVersion, SaysOnlineAgainAfterEachConnect) {
  MosquittoBroker broker;
  MqttOptions options = test_options(broker.uri(), GetParam());
  options.status_topic = "site/status";
  Running running{options};
  ASSERT_TRUE(running.sink->start(running.queue));
  for (int round = 0; round < 2; ++round) {
    {
      MqttProbe probe{broker.uri()};
      probe.subscribe("site/status");
      ASSERT_TRUE(probe.wait_for_message("site/status", "online"));
    }
    broker.kill();
    ASSERT_TRUE(running.observer.wait_for_connected(false));
    broker.start();
  }
}

TEST_P(SinkOfVersion, SaysOnlineOnceMessagesComeInAndSendsTheRestMeanwhile) {
  MosquittoBroker broker;
  MqttProbe probe{broker.uri()};
  probe.subscribe("#");
  auto options = test_options(broker.uri(), GetParam());
  options.status_topic = "site/status";
  std::atomic<bool> receiving{false};
  RecordingObserver observer;
  RecordingLog log;
  TestQueue queue;
  const auto sink = make_sink(options, observer, log, [&] { return receiving.load(); });
  queue.put(alert(1));
  ASSERT_TRUE(sink->start(queue));
  ASSERT_TRUE(queue.wait_for_delivered(1));
  // Had it been said, it would have been on its way before this one.
  queue.put(alert(2));
  ASSERT_TRUE(queue.wait_for_delivered(2));
  ASSERT_TRUE(probe.wait_for([](const auto& all) { return all.size() == 2; }));
  EXPECT_NE(probe.messages().back().topic, "site/status");
  receiving = true;
  EXPECT_TRUE(probe.wait_for_message("site/status", "online"));
}

TEST_P(SinkOfVersion, TellsTheQueueOfEachConnection) {
  MosquittoBroker broker;
  Running running{test_options(broker.uri(), GetParam())};
  ASSERT_TRUE(running.sink->start(running.queue));
  ASSERT_TRUE(running.queue.wait_for_connections(1));
  broker.kill();
  ASSERT_TRUE(running.observer.wait_for_connected(false));
  broker.start();
  ASSERT_TRUE(running.queue.wait_for_connections(2));
}

TEST_P(SinkOfVersion, LeavesALastWillWhenItsProcessIsKilled) {
  MosquittoBroker broker;
  MqttProbe probe{broker.uri()};
  probe.subscribe("site/status");
  test::Process process{child("KeepsASinkOpen", broker.uri(), GetParam())};
  ASSERT_TRUE(probe.wait_for_message("site/status", "online")) << process.output();
  process.kill();
  ASSERT_TRUE(probe.wait_for_message("site/status", "offline"));
  MqttProbe later{broker.uri()};
  later.subscribe("site/status");
  ASSERT_TRUE(later.wait_for([](const auto& all) { return !all.empty(); }));
  EXPECT_EQ(later.messages(), (MqttProbe::Messages{{"site/status", "offline", 1, true}}));
}

TEST_P(SinkOfVersion, SendsWhatIsLeftBeforeItStops) {
  MosquittoBroker broker;
  Running running{test_options(broker.uri(), GetParam())};
  for (std::uint64_t i = 0; i < 200; ++i) running.queue.put(alert(i));
  ASSERT_TRUE(running.sink->start(running.queue));
  running.sink->stop(kPatience);
  EXPECT_EQ(running.queue.delivered_count(), 200U);
  EXPECT_EQ(running.queue.open_count(), 0U);
}

TEST_P(SinkOfVersion, GivesBackWhatItCannotSendBeforeItStops) {
  MosquittoBroker broker;
  Running running{test_options(broker.uri(), GetParam())};
  ASSERT_TRUE(running.sink->start(running.queue));
  ASSERT_TRUE(running.observer.wait_for_connected(true));
  broker.freeze();
  for (std::uint64_t i = 0; i < 50; ++i) running.queue.put(alert(i));
  ASSERT_TRUE(running.queue.wait_for_open(20));
  running.sink->stop(Duration{500});
  EXPECT_EQ(running.queue.open_count(), 0U);
  EXPECT_EQ(running.queue.waiting_count(), 50U);
  EXPECT_EQ(running.queue.violations(), 0U);
}

TEST(Sink, StopsAtOnceWhileTheBrokerIsAwayAndBeforeItWasStarted) {
  Running never{test_options("mqtt://127.0.0.1:1")};
  never.sink->stop(kPatience);
  Running away{test_options("mqtt://127.0.0.1:1")};
  away.queue.put(alert(1));
  ASSERT_TRUE(away.sink->start(away.queue));
  ASSERT_TRUE(away.observer.wait_for_connected(false));
  away.sink->stop(kPatience);
  EXPECT_EQ(away.queue.waiting_count(), 1U);
}

TEST(Sink, DropsATopicThatNoBrokerTakesAndGoesOn) {
  MosquittoBroker broker;
  Running running{test_options(broker.uri())};
  running.queue.put({{1, 0}, Urgency::kAlert, "alerts/+", "x", 1, false});
  running.queue.put(alert(2));
  ASSERT_TRUE(running.sink->start(running.queue));
  ASSERT_TRUE(running.queue.wait_for_delivered(2));
  ASSERT_EQ(running.observer.faults.all().size(), 1U);
  EXPECT_THAT(running.observer.faults.all().front(), HasSubstr("topic \"alerts/+\""));
}

TEST(Sink, KeepsBackWhatTheBrokerRefusesAndSendsTheRest) {
  test::TempDir folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  const auto rules = folder.write("acl", "topic readwrite alerts/#\n");
  MosquittoBroker broker{{.persistence = false,
                          .users = {},
                          .listener_lines = "",
                          .global_lines = "acl_file " + rules.string() + "\n",
                          .start = true}};
  Running running{test_options(broker.uri())};
  running.queue.put({{1, 0}, Urgency::kAlert, "secret/a", "x", 1, false});
  for (std::uint64_t i = 2; i < 50; ++i) running.queue.put(alert(i));
  ASSERT_TRUE(running.sink->start(running.queue));
  ASSERT_TRUE(running.queue.wait_for_delivered(48));
  ASSERT_TRUE(running.observer.faults.wait_for_count(1));
  EXPECT_THAT(running.observer.faults.all().front(),
              HasSubstr("refuses publications on \"secret/a\": not authorised (0x87)"));
  running.sink->stop(Duration{0});
  EXPECT_EQ(running.queue.waiting_count(), 1U);
  EXPECT_EQ(running.queue.violations(), 0U);
}

}  // namespace
}  // namespace sluice::mqtt
