#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/support/mosquitto.hpp"
#include "tests/support/mqtt_probe.hpp"
#include "tests/unit/mqtt/child.hpp"
#include "tests/unit/mqtt/recorders.hpp"

namespace sluice::mqtt {
namespace {

using test::BrokerSetup;
using test::MosquittoBroker;
using test::MqttProbe;
using ::testing::HasSubstr;
using ::testing::Not;

/// Everything a source needs, and the source.
struct Running {
  Running(MqttOptions options, std::vector<Subscription> subscriptions)
      : source{make_source(std::move(options), std::move(subscriptions), observer, log)} {}

  RecordingObserver observer;
  RecordingLog log;
  RecordingHandler handler;
  std::unique_ptr<MessageSource> source;
};

class SourceOfVersion : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Mqtt, SourceOfVersion, ::testing::Values(3, 5));

// A subscription is in place once a message published by somebody else comes through.
void await_subscription(Running& running, MqttProbe& probe, const std::string& topic) {
  static int number = 0;
  const std::string mark = "mark " + std::to_string(++number);
  const auto until = std::chrono::steady_clock::now() + test::kLimit;
  while (std::chrono::steady_clock::now() < until) {
    probe.publish(topic, mark);
    if (running.handler.wait_for(
            [&](const auto& all) { return !all.empty() && all.back().payload == mark; },
            std::chrono::milliseconds{200}))
      return;
  }
  FAIL() << "no subscription to " << topic;
}

TEST_P(SourceOfVersion, HandsOverMessagesWithAllTheyHave) {
  MosquittoBroker broker;
  MqttProbe probe{broker.uri()};
  probe.publish("levels/old", "1.0", 1, true);
  Running running{test_options(broker.uri(), GetParam()), {{"river", "levels/+", 1}}};
  ASSERT_TRUE(running.source->start(running.handler));
  ASSERT_TRUE(running.handler.wait_for_payload("1.0"));
  const std::string bytes{"2\0\xFF", 3};
  probe.publish("levels/köln", bytes);
  ASSERT_TRUE(running.handler.wait_for_payload(bytes));

  const auto all = running.handler.all();
  EXPECT_TRUE(all.front().retained);
  EXPECT_FALSE(all.back().retained);
  EXPECT_EQ(all.back().topic, "levels/köln");
  EXPECT_EQ(all.back().source, "river");
  EXPECT_NE(all.back().packet_id, 0);
  EXPECT_FALSE(all.back().duplicate);
  EXPECT_GT(all.back().received, 1'600'000'000'000);
  EXPECT_EQ(running.observer.connectors.all().front(), "source");
  EXPECT_TRUE(running.observer.faults.all().empty());
}

TEST_P(SourceOfVersion, ConnectsToABrokerThatStartsLater) {
  MosquittoBroker broker{{.persistence = false,
                          .users = {},
                          .listener_lines = "",
                          .global_lines = "",
                          .start = false}};
  Running running{test_options(broker.uri(), GetParam()), {{"river", "levels/#", 1}}};
  ASSERT_TRUE(running.source->start(running.handler));
  ASSERT_TRUE(running.observer.wait_for_reason("connection refused: is a broker listening at"));
  broker.start();
  ASSERT_TRUE(running.observer.wait_for_connected(true));
  MqttProbe probe{broker.uri()};
  await_subscription(running, probe, "levels/a");
}

TEST_P(SourceOfVersion, SubscribesAgainAfterTheBrokerHasForgottenIt) {
  MosquittoBroker broker;
  Running running{test_options(broker.uri(), GetParam()), {{"river", "levels/#", 1}}};
  ASSERT_TRUE(running.source->start(running.handler));
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(running.observer.wait_for_connected(true));
    {
      MqttProbe probe{broker.uri()};
      await_subscription(running, probe, "levels/a");
    }
    broker.kill();
    ASSERT_TRUE(running.observer.wait_for_connected(false));
    broker.start();
  }
  EXPECT_TRUE(running.observer.wait_for_connected(true));
}

TEST_P(SourceOfVersion, GetsWhatWasPublishedWhileItWasAway) {
  MosquittoBroker broker;
  MqttProbe probe{broker.uri()};
  {
    Running before{test_options(broker.uri(), GetParam()), {{"river", "levels/#", 1}}};
    ASSERT_TRUE(before.source->start(before.handler));
    await_subscription(before, probe, "levels/a");
    before.source->stop();
  }
  for (int i = 0; i < 50; ++i) probe.publish("levels/a", "missed " + std::to_string(i));

  Running after{test_options(broker.uri(), GetParam()), {{"river", "levels/#", 1}}};
  ASSERT_TRUE(after.source->start(after.handler));
  ASSERT_TRUE(after.handler.wait_for_count(50));
  const auto all = after.handler.all();
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(all[i].payload, "missed " + std::to_string(i));
}

TEST_P(SourceOfVersion, GetsAMessageAgainWithItsPacketIdAfterACrashBeforeTheAcknowledgement) {
  MosquittoBroker broker;
  MqttProbe probe{broker.uri()};
  {
    Running before{test_options(broker.uri(), GetParam()), {{"levels", "levels/#", 1}}};
    ASSERT_TRUE(before.source->start(before.handler));
    await_subscription(before, probe, "levels/a");
  }
  test::Process child_process{child("DiesInTheHandler", broker.uri(), GetParam())};
  for (int i = 0; i < 3; ++i) probe.publish("levels/a", std::to_string(i));
  ASSERT_EQ(child_process.wait(), (test::ExitStatus{.code = {}, .signal = SIGKILL}))
      << child_process.output() << child_process.errors();

  Running after{test_options(broker.uri(), GetParam()), {{"levels", "levels/#", 1}}};
  ASSERT_TRUE(after.source->start(after.handler));
  ASSERT_TRUE(after.handler.wait_for_payload("2"));
  const auto all = after.handler.all();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].payload, "0");
  EXPECT_TRUE(all[0].duplicate);
  EXPECT_THAT(child_process.output(),
              HasSubstr("packet " + std::to_string(all[0].packet_id) + " duplicate 0\n"));
  EXPECT_NE(all[0].packet_id, all[1].packet_id);
}

TEST_P(SourceOfVersion, HandsAMessageOverOnceThoughSeveralFiltersMatch) {
  MosquittoBroker broker;
  MqttProbe probe{broker.uri()};
  Running running{test_options(broker.uri(), GetParam()),
                  {{"exact", "levels/a", 1}, {"some", "levels/+", 1}, {"all", "levels/#", 1}}};
  ASSERT_TRUE(running.source->start(running.handler));
  await_subscription(running, probe, "levels/z/last");
  for (int i = 0; i < 20; ++i) probe.publish("levels/a", "same");
  for (int i = 0; i < 20; ++i) probe.publish("levels/b", std::to_string(i));
  probe.publish("levels/z/last", "end");
  ASSERT_TRUE(running.handler.wait_for_payload("end"));
  // Whatever came twice has come by now: the broker keeps the order.
  std::map<std::string, int> count;
  for (const Received& one : running.handler.all()) ++count[one.source + " " + one.topic];
  EXPECT_EQ(count["exact levels/a"], 20);
  EXPECT_EQ(count["some levels/b"], 20);
  EXPECT_EQ(count.count("all levels/a") + count.count("some levels/a"), 0U);
}

// Beyond 16 MiB of payload a broker of MQTT 5 is asked to keep messages back. 3.1.1 cannot ask, and
// Paho takes whatever comes: it is for the handler to refuse.
TEST_P(SourceOfVersion, GetsNoMessageThatIsTooLargeForThisMachine) {
  MosquittoBroker broker;
  MqttProbe probe{broker.uri()};
  Running running{test_options(broker.uri(), GetParam()), {{"river", "levels/#", 1}}};
  ASSERT_TRUE(running.source->start(running.handler));
  ASSERT_TRUE(running.observer.wait_for_connected(true));
  probe.publish("levels/a", std::string(16 << 20, 'x'));
  probe.publish("levels/a", std::string(17 << 20, 'x'));
  probe.publish("levels/a", "end");
  ASSERT_TRUE(running.handler.wait_for_payload("end"));
  std::vector<std::size_t> sizes;
  for (const Received& one : running.handler.all()) sizes.push_back(one.payload.size() >> 20U);
  if (GetParam() == 5) {
    EXPECT_THAT(sizes, ::testing::ElementsAre(16U, 0U));
  } else {
    EXPECT_THAT(sizes, ::testing::ElementsAre(16U, 17U, 0U));
  }
  EXPECT_TRUE(running.observer.faults.all().empty());
}

TEST_P(SourceOfVersion, CountsAsConnectedOnceItIsSubscribed) {
  MosquittoBroker broker;
  MqttProbe probe{broker.uri()};
  // Again and again: it is about who is first.
  for (int round = 0; round < 2; ++round) {
    auto options = test_options(broker.uri(), GetParam());
    options.client_id = "test" + std::to_string(round);
    Running running{options, {{"a", "a/#", 1}, {"b", "b/#", 1}, {"c", "c/#", 1}}};
    ASSERT_TRUE(running.source->start(running.handler));
    ASSERT_TRUE(running.observer.wait_for_connected(true));
    probe.publish("c/1", "kept");
    EXPECT_TRUE(running.handler.wait_for_payload("kept"));
  }
}

TEST_P(SourceOfVersion, TakesBackFiltersOfAnEarlierConfiguration) {
  MosquittoBroker broker;
  MqttProbe probe{broker.uri()};
  {
    Running before{test_options(broker.uri(), GetParam()), {{"old", "old/#", 1}, {"b", "b/#", 1}}};
    ASSERT_TRUE(before.source->start(before.handler));
    ASSERT_TRUE(before.observer.wait_for_connected(true));
    before.source->stop();
  }
  RecordingObserver observer;
  RecordingLog log;
  RecordingHandler handler;
  const auto source =
      make_source(test_options(broker.uri(), GetParam()), {{"b", "b/#", 1}}, observer, log,
                  {"old/#", "b/#", "never/+/subscribed", "no#filter"});
  ASSERT_TRUE(source->start(handler));
  ASSERT_TRUE(observer.wait_for_connected(true));
  probe.publish("old/1", "nobody wants this");
  probe.publish("b/1", "this is wanted");
  ASSERT_TRUE(handler.wait_for_payload("this is wanted"));
  for (const std::string& line : log.lines.all()) {
    EXPECT_THAT(line, Not(HasSubstr("matches no source")));
  }
  EXPECT_TRUE(observer.faults.all().empty());
}

// Mosquitto's access list cannot refuse a subscription, its plugin can.
BrokerSetup refusing_secrets(const test::TempDir& folder) {
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  const auto rules = folder.write("rules.json", R"({
    "defaultACLAccess": {"publishClientSend": true, "publishClientReceive": true,
                         "subscribe": true, "unsubscribe": true},
    "roles": [{"rolename": "all", "acls": [
      {"acltype": "subscribePattern", "topic": "secret/#", "priority": 1, "allow": false}]}],
    "groups": [{"groupname": "all", "roles": [{"rolename": "all"}]}],
    "anonymousGroup": "all"})");
  BrokerSetup setup;
  setup.global_lines = "plugin " +
                       test::mosquitto_plugin("mosquitto_dynamic_security.so").string() +
                       "\nplugin_opt_config_file " + rules.string() + "\n";
  return setup;
}

TEST_P(SourceOfVersion, ReportsARefusedSubscriptionAndKeepsTheOthers) {
  test::TempDir folder;
  MosquittoBroker broker{refusing_secrets(folder)};
  Running running{test_options(broker.uri(), GetParam()),
                  {{"secret", "secret/#", 1}, {"river", "levels/#", 1}}};
  ASSERT_TRUE(running.source->start(running.handler));
  ASSERT_TRUE(running.observer.faults.wait_for_count(1));
  EXPECT_THAT(running.observer.faults.all().front(),
              HasSubstr("refuses the subscription to \"secret/#\""));
  MqttProbe probe{broker.uri()};
  await_subscription(running, probe, "levels/a");
}

// 3.1.1 cannot say so.
TEST(Source, KeepsAFilterThatTheBrokerRefusesToTakeBackForAnotherTime) {
  test::TempDir folder;
  BrokerSetup setup = refusing_secrets(folder);
  folder.write("rules.json", R"({
    "defaultACLAccess": {"publishClientSend": true, "publishClientReceive": true,
                         "subscribe": true, "unsubscribe": true},
    "roles": [{"rolename": "all", "acls": [
      {"acltype": "unsubscribePattern", "topic": "old/#", "priority": 1, "allow": false}]}],
    "groups": [{"groupname": "all", "roles": [{"rolename": "all"}]}],
    "anonymousGroup": "all"})");
  MosquittoBroker broker{setup};
  RecordingObserver observer;
  RecordingLog log;
  RecordingHandler handler;
  const auto source = make_source(test_options(broker.uri()), {{"b", "b/#", 1}}, observer, log,
                                  {"older/#", "old/#"});
  ASSERT_TRUE(source->start(handler));
  ASSERT_TRUE(observer.wait_for_connected(true));
  ASSERT_TRUE(observer.faults.wait_for_count(1));
  EXPECT_THAT(observer.faults.all().front(),
              HasSubstr("refuses to take back the subscription to \"old/#\": not authorised"));
  source->stop();
  EXPECT_THAT(source->former_filters(), ::testing::ElementsAre("old/#"));
}

TEST_P(SourceOfVersion, ReportsABrokerThatGrantsLessThanWasAskedFor) {
  BrokerSetup setup;
  setup.listener_lines = "max_qos 0\n";
  MosquittoBroker broker{setup};
  Running running{test_options(broker.uri(), GetParam()), {{"river", "levels/#", 1}}};
  ASSERT_TRUE(running.source->start(running.handler));
  ASSERT_TRUE(running.observer.faults.wait_for_count(1));
  EXPECT_THAT(running.observer.faults.all().front(),
              HasSubstr("grants only QoS 0 for \"levels/#\""));
}

TEST_P(SourceOfVersion, SaysThatCredentialsAreWrongAndConnectsOnceTheyAreRight) {
  test::TempDir folder;
  const auto secret = folder.write("mqtt.secret", "pegel\nwrong\n");
  MosquittoBroker broker{{.persistence = false,
                          .users = {{"pegel", "right"}},
                          .listener_lines = "",
                          .global_lines = "",
                          .start = true}};
  MqttOptions options = test_options(broker.uri(), GetParam());
  options.credentials_file = secret.string();
  Running running{options, {{"river", "levels/#", 1}}};
  ASSERT_TRUE(running.source->start(running.handler));
  ASSERT_TRUE(running.observer.wait_for_reason("not authorised"));
  EXPECT_THAT(running.observer.changes.all().back().reason,
              HasSubstr("check user name and password in " + secret.string()));
  folder.write("mqtt.secret", "pegel\nright\n");
  ASSERT_TRUE(running.observer.wait_for_connected(true));
  MqttProbe probe{broker.uri(), "pegel", "right"};
  await_subscription(running, probe, "levels/a");
}

TEST_P(SourceOfVersion, ConnectsOnceTheBrokerKnowsItsCredentials) {
  test::TempDir folder;
  MosquittoBroker broker{{.persistence = false,
                          .users = {{"somebody", "else"}},
                          .listener_lines = "",
                          .global_lines = "",
                          .start = true}};
  MqttOptions options = test_options(broker.uri(), GetParam());
  options.credentials_file =
      folder.write("mqtt.secret", "user = pegel\npassword = \"a b\"\n").string();
  Running running{options, {{"river", "levels/#", 1}}};
  ASSERT_TRUE(running.source->start(running.handler));
  ASSERT_TRUE(running.observer.wait_for_reason("not authorised"));
  broker.set_users({{"pegel", "a b"}});
  broker.restart();
  EXPECT_TRUE(running.observer.wait_for_connected(true));
}

TEST_P(SourceOfVersion, GoesToTheNextServerIfOneIsAway) {
  MosquittoBroker broker;
  MqttOptions options = test_options(broker.uri(), GetParam());
  options.servers.insert(options.servers.begin(),
                         "tcp://127.0.0.1:" + std::to_string(test::free_port()));
  Running running{options, {{"river", "levels/#", 1}}};
  ASSERT_TRUE(running.source->start(running.handler));
  EXPECT_TRUE(running.observer.wait_for_connected(true));
}

TEST(Source, RefusesMalformedFiltersAtStart) {
  Running running{test_options("mqtt://127.0.0.1:1"), {{"river", "levels/#/x", 1}}};
  const Status status = running.source->start(running.handler);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("source \"river\": topic filter \"levels/#/x\""));
}

TEST(Source, SaysThatAHostNameIsUnknown) {
  Running running{test_options("mqtt://no-such-host.invalid:1883"), {{"river", "levels/#", 1}}};
  ASSERT_TRUE(running.source->start(running.handler));
  EXPECT_TRUE(running.observer.wait_for_reason("host name no-such-host.invalid cannot be looked"));
}

// Mosquitto 2.0 does not tell the one that has to go, so this is as much as can be said.
TEST(Source, PointsToAnotherClientOfItsIdIfConnectionsDoNotLast) {
  MosquittoBroker broker;
  Running one{test_options(broker.uri()), {{"river", "levels/#", 1}}};
  ASSERT_TRUE(one.source->start(one.handler));
  ASSERT_TRUE(one.observer.wait_for_connected(true));
  Running other{test_options(broker.uri()), {{"river", "levels/#", 1}}};
  ASSERT_TRUE(other.source->start(other.handler));
  // Paho 1.3.14 hands on that the broker says so; older ones do not, and it has to be guessed.
  EXPECT_TRUE(one.observer.wait_for_reason("its own 'client_id'"));
}

TEST(Source, StopsWhileTheBrokerIsAwayAndBeforeItWasStarted) {
  Running never{test_options("mqtt://127.0.0.1:1"), {{"river", "levels/#", 1}}};
  never.source->stop();
  Running away{test_options("mqtt://127.0.0.1:1"), {{"river", "levels/#", 1}}};
  ASSERT_TRUE(away.source->start(away.handler));
  ASSERT_TRUE(away.observer.wait_for_connected(false));
  away.source->stop();
  EXPECT_TRUE(away.handler.all().empty());
}

TEST(Source, HandlersCannotThrowIntoTheLibrary) {
  static_assert(noexcept(std::declval<MessageHandler&>().on_message(MessageView{})));
  static_assert(noexcept(std::declval<ConnectionObserver&>().on_fault("", "")));
}

}  // namespace
}  // namespace sluice::mqtt
