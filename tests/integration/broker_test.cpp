// Brokers that come late, go, come back, or do not know us.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "tests/integration/database.hpp"
#include "tests/integration/protocols.hpp"
#include "tests/integration/site.hpp"

namespace sluice::test {
namespace {

BrokerSetup lasting(bool start = true) {
  return {
      .persistence = true, .users = {}, .listener_lines = {}, .global_lines = {}, .start = start};
}

class Broker : public OverMqtt {};
SLUICE_OVER_BOTH_PROTOCOLS(Broker);

TEST_P(Broker, MayStartAfterTheDaemon) {
  MosquittoBroker broker{lasting(false)};
  Site site{broker, {.protocol = protocol()}};
  site.launch();
  ASSERT_TRUE(site.daemon().wait_for_text("not receiving")) << site.daemon().errors();
  broker.start();
  site.wait_for_subscriptions();
  site.send("mill", 101);
  EXPECT_EQ(site.wait_for("alert/flood/").topic, Site::topic("alert/flood/mill"));
}

TEST_P(Broker, MayBeRestarted) {
  MosquittoBroker broker{lasting()};
  Site site{broker, {.protocol = protocol()}};
  site.start();
  site.send("mill", 50);
  site.wait_for("value/mean/mill");
  broker.restart();
  site.reconnect_probe();
  // Whether we are connected again by now or not: it keeps this for us.
  site.send("mill", 70);
  const Datum alert = site.wait_for("alert/jump/mill").document;
  EXPECT_EQ(number_at(alert, "value"), 70);
}

TEST_P(Broker, MayBeKilled) {
  MosquittoBroker broker{lasting()};
  Site site{broker, {.protocol = protocol()}};
  site.start();
  site.send("mill", 50);
  site.wait_for("value/mean/mill");
  broker.kill();
  site.reconnect_probe();
  broker.start();
  site.wait_for_subscriptions();
  site.send("mill", 70);
  EXPECT_EQ(number_at(site.wait_for("alert/jump/mill").document, "value"), 70);
}

TEST_P(Broker, GetsTheAlertsThatWereMadeWhileItWasAway) {
  MosquittoBroker broker{lasting()};
  Site site{broker,
            {.protocol = protocol(),
             .monitors = "[[monitor]]\nname = \"quiet\"\nkind = \"silence\"\n"
                         "after = \"2s\"\n",
             .other_tables = "[checkpoint]\ninterval = \"100ms\"\n"}};
  site.start();
  site.send("mill", 50);
  site.wait_for_status([](const Datum& all) { return number_at(all, "readings") == 1; });
  broker.stop();
  ASSERT_TRUE(site.daemon().wait_for_text("not publishing")) << site.daemon().errors();
  // The sensor falls silent, and the alert is made, with nobody there to hear it.
  const auto until = std::chrono::steady_clock::now() + kLimit;
  while (query(site.data() / "sluice.db", "SELECT topic FROM outbox WHERE urgency = 'alert'")
             .empty()) {
    ASSERT_LT(std::chrono::steady_clock::now(), until) << site.daemon().errors();
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
  }
  broker.start();
  site.reconnect_probe();
  EXPECT_EQ(text_at(site.wait_for("alert/quiet/mill").document, "state"), "active");
}

TEST_P(Broker, IsToldWhenWeAreThereAndWhenNot) {
  MosquittoBroker broker;
  Site site{broker, {.protocol = protocol()}};
  site.start();
  EXPECT_TRUE(site.probe().wait_for_message(Site::topic("status"), "online"));
  ASSERT_EQ(site.stop(SIGTERM), (ExitStatus{.code = 0, .signal = {}}));
  EXPECT_TRUE(site.probe().wait_for_message(Site::topic("status"), "offline"));
}

TEST_P(Broker, MaySendAsSoonAsItIsToldThatWeAreThere) {
  MosquittoBroker broker;
  Site site{broker, {.protocol = protocol()}};
  site.probe();
  site.launch();
  ASSERT_TRUE(site.probe().wait_for_message(Site::topic("status"), "online"));
  site.send("mill", 101);
  EXPECT_EQ(site.wait_for("alert/flood/").topic, Site::topic("alert/flood/mill"));
}

TEST_P(Broker, ThatHasForgottenAllGetsSubscriptionsAndAlarmsAgain) {
  MosquittoBroker broker;
  Site site{broker, {.protocol = protocol()}};
  site.start();
  site.send("mill", 101);
  site.wait_for("alarm/flood/mill");
  broker.kill();
  broker.start();
  site.wait_for_subscriptions();
  site.reconnect_probe();
  EXPECT_EQ(text_at(site.wait_for("alarm/flood/mill").document, "state"), "active");
  EXPECT_TRUE(site.probe().wait_for_message(Site::topic("status"), "online"));
  site.send("mill", 1);
  EXPECT_EQ(text_at(site.wait_for("alert/flood/mill").document, "state"), "cleared");
}

TEST_P(Broker, ForgetsFiltersThatTheConfigurationNoLongerHas) {
  MosquittoBroker broker;
  Site site{broker, {.protocol = protocol()}};
  site.start();
  ASSERT_EQ(site.stop(SIGTERM), (ExitStatus{.code = 0, .signal = {}}));
  site.set_source(
      "[[source]]\nname = \"levels\"\ntopic = \"new/+/level\"\nformat = \"json\"\n"
      "sensor = \"/sensor\"\nlevel = \"/level\"\n");
  site.write_config();
  for (int round = 0; round < 2; ++round) {
    site.start();
    ASSERT_TRUE(site.daemon().wait_for_text("connected to the broker for receiving"));
    site.probe().publish("site/x/level", R"({"sensor":"mill","level":101})");
    site.probe().publish("new/x/level", R"({"sensor":"weir","level":101})");
    site.wait_for("value/mean/weir");
    EXPECT_THAT(site.daemon().errors(), testing::Not(testing::HasSubstr("matches no source")));
    ASSERT_EQ(site.stop(SIGTERM), (ExitStatus{.code = 0, .signal = {}}));
  }
  EXPECT_THAT(read_file(site.data() / "subscriptions"), testing::HasSubstr("new/+/level\n"));
  EXPECT_THAT(read_file(site.data() / "subscriptions"),
              testing::Not(testing::HasSubstr("site/+/level")));
}

TEST_P(Broker, TellsOthersWhenWeDie) {
  MosquittoBroker broker;
  Site site{broker, {.protocol = protocol()}};
  site.start();
  ASSERT_TRUE(site.probe().wait_for_message(Site::topic("status"), "online"));
  site.kill();
  EXPECT_TRUE(site.probe().wait_for_message(Site::topic("status"), "offline"));
}

TEST_P(Broker, ThatRefusesThePasswordIsReportedAndTriedUntilItIsRight) {
  MosquittoBroker broker{{.persistence = false,
                          .users = {{"sluice", "right"}, {"probe", "probe"}},
                          .listener_lines = {},
                          .global_lines = {},
                          .start = true}};
  TempDir secrets;
  const auto file = secrets.write("credentials", "sluice\nwrong\n");
  Site site{
      broker,
      {.protocol = protocol(), .mqtt_lines = "credentials_file = \"" + file.string() + "\"\n"}};
  MqttProbe probe{broker.uri(), "probe", "probe"};
  probe.subscribe("sluice/#");
  site.launch();
  ASSERT_TRUE(site.daemon().wait_for_text("password")) << site.daemon().errors();
  EXPECT_TRUE(site.daemon().is_running());
  secrets.write("credentials", "sluice\nright\n");
  site.wait_for_subscriptions();
  probe.publish("site/x/level", R"({"sensor":"mill","level":101})");
  EXPECT_TRUE(probe.wait_for([](const auto& messages) {
    return std::any_of(messages.begin(), messages.end(), [](const auto& message) {
      return message.topic == Site::topic("alert/flood/mill");
    });
  })) << site.daemon().errors();
}

}  // namespace
}  // namespace sluice::test
