// The main job: readings in, alerts and values out, through the real program and a real broker.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/integration/protocols.hpp"
#include "tests/integration/site.hpp"

namespace sluice::test {
namespace {

class Readings : public OverMqtt {
 protected:
  MosquittoBroker broker_;
  Site site_{broker_, {.protocol = protocol()}};
};
SLUICE_OVER_BOTH_PROTOCOLS(Readings);

TEST_P(Readings, ThatDifferTooMuchRaiseAnAlert) {
  site_.start();
  site_.send("mill", 50);
  site_.send("mill", 61.5);
  const Told alert = site_.wait_for("alert/jump/");
  EXPECT_EQ(alert.topic, Site::topic("alert/jump/mill"));
  EXPECT_EQ(number_at(alert.document, "value"), 61.5);
}

TEST_P(Readings, AtTheLimitRaiseNone) {
  site_.start();
  site_.send("mill", 50);
  site_.send("mill", 60);
  site_.send("mill", 80);  // whose alert shows that the one before would have come by now
  site_.wait_for("alert/jump/");
  EXPECT_EQ(site_.told("alert/jump/").size(), 1U);
}

TEST_P(Readings, OfOneSensorAreNotComparedWithAnothers) {
  site_.start();
  site_.send("mill", 10);
  site_.send("weir", 90);
  site_.send("mill", 30);
  EXPECT_EQ(site_.wait_for("alert/jump/").topic, Site::topic("alert/jump/mill"));
}

TEST_P(Readings, GiveDerivedValues) {
  site_.start();
  site_.send("mill", 10);
  site_.send("mill", 15);
  site_.send("mill", 11);
  const auto mean = site_.wait_for(
      "value/mean/mill", [](const Datum& value) { return number_at(value, "value") == 12; });
  EXPECT_EQ(text_at(mean.document, "sensor"), "mill");
  EXPECT_EQ(text_at(mean.document, "quality"), "good");
  site_.wait_for("value/highest/mill", [](const Datum& value) {
    return at(value, "value") == Datum{Datum::List{15.0, 11.0, 10.0}};
  });
}

TEST_P(Readings, MakeAlertsThatSayAllThereIsToSay) {
  site_.start();
  site_.send("mill", 101.5);
  const Told alert = site_.wait_for("alert/flood/mill");
  const Datum& said = alert.document;
  EXPECT_THAT(text_at(said, "id"), testing::MatchesRegex("[0-9]+-[0-9]+"));
  EXPECT_TRUE(std::regex_match(text_at(said, "time"),
                               std::regex{R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"}));
  EXPECT_EQ(text_at(said, "monitor"), "flood");
  EXPECT_EQ(text_at(said, "kind"), "threshold");
  EXPECT_EQ(text_at(said, "sensor"), "mill");
  EXPECT_EQ(text_at(said, "state"), "active");
  EXPECT_EQ(number_at(said, "value"), 101.5);
  EXPECT_EQ(number_at(said, "limit"), 100);
  EXPECT_EQ(text_at(said, "quality"), "good");
  EXPECT_EQ(text_at(said, "text"), "mill is at 101.5, above the limit of 100");
}

TEST_P(Readings, LeaveTheStateOfAnAlarmAtTheBroker) {
  site_.start();
  site_.send("mill", 101.5);
  site_.wait_for("alarm/flood/mill");
  site_.reconnect_probe();
  const Told alarm = site_.wait_for("alarm/flood/mill");
  EXPECT_TRUE(alarm.retain);
  EXPECT_EQ(text_at(alarm.document, "state"), "active");
}

TEST_P(Readings, ThatTheBrokerHadRetainedAreNoNews) {
  site_.probe().publish("site/old/level", R"({"sensor":"old","level":5})", 1, true);
  site_.start();
  site_.send("mill", 1);
  const Datum status = site_.wait_for_status([](const Datum& all) {
    return number_at(all, "retained_ignored") == 1 && number_at(all, "readings") == 1;
  });
  EXPECT_TRUE(site_.told("value/mean/old").empty());
  // Thousands of them at each connection must not cost the disk anything.
  for (const auto& file : std::filesystem::directory_iterator{site_.data() / "journal"}) {
    EXPECT_THAT(read_file(file.path()), testing::Not(testing::HasSubstr("site/old/level")));
  }
}

TEST_P(Readings, AreCountedInTheStatus) {
  site_.start();
  site_.send("mill", 1);
  site_.send("mill", 2);
  const Datum status =
      site_.wait_for_status([](const Datum& all) { return number_at(all, "readings") == 2; });
  EXPECT_EQ(at(status, "healthy"), Datum{true}) << status.to_text();
}

TEST_P(Readings, KeepTheTimeOfTheirPayload) {
  Site site{broker_,
            {.protocol = protocol(), .source = std::string{kLevelsSource} + "time = \"/time\"\n"}};
  site.start();
  site.probe().publish("site/x/level",
                       R"({"sensor":"mill","level":150,"time":"2024-08-08T12:00:00Z"})");
  const Told alert = site.wait_for("alert/flood/mill");
  EXPECT_EQ(text_at(alert.document, "time"), "2024-08-08T12:00:00.000Z");
}

}  // namespace
}  // namespace sluice::test
