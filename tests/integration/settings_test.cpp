// Limits that people push over the config topic while the daemon runs, or is away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "tests/integration/protocols.hpp"
#include "tests/integration/site.hpp"

namespace sluice::test {
namespace {

using testing::HasSubstr;

class Settings : public OverMqtt {
 protected:
  /// The answer to a setting, after which it is in force.
  Datum answer(const std::string& target) {
    return site_
        .wait_for("config-result/" + target,
                  [&](const Datum& said) {
                    return number_at(said, "version") > last_version_ ||
                           at(said, "accepted") == Datum{false};
                  })
        .document;
  }
  double limit_in_alert(const std::string& sensor) {
    return number_at(site_.wait_for("alert/flood/" + sensor).document, "limit");
  }

  MosquittoBroker broker_;
  Site site_{broker_, {.protocol = protocol()}};
  double last_version_{0};
};
SLUICE_OVER_BOTH_PROTOCOLS(Settings);

TEST_P(Settings, SentWhileItRunsAreInForceAtOnce) {
  site_.start();
  site_.set("flood", R"({"limit": 42})");
  EXPECT_EQ(at(answer("flood"), "accepted"), Datum{true});
  site_.send("mill", 43);
  EXPECT_EQ(limit_in_alert("mill"), 42);
}

TEST_P(Settings, RetainedBeforeTheStartAreInForce) {
  site_.set("flood", "42");
  site_.start();
  EXPECT_EQ(at(answer("flood"), "accepted"), Datum{true});
  site_.send("mill", 43);
  EXPECT_EQ(limit_in_alert("mill"), 42);
}

TEST_P(Settings, OfOneSensorBeatThoseOfTheMonitor) {
  site_.start();
  site_.set("flood/mill", "30");
  answer("flood/mill");
  site_.set("flood", "20");
  answer("flood");
  site_.send("mill", 25);
  site_.send("mill", 31);
  site_.send("weir", 21);
  EXPECT_EQ(limit_in_alert("mill"), 30);
  EXPECT_EQ(limit_in_alert("weir"), 20);
}

TEST_P(Settings, RemovedByAnEmptyPayloadGoBackToTheFile) {
  site_.start();
  site_.set("flood", "42");
  last_version_ = number_at(answer("flood"), "version");
  site_.set("flood", "");
  const Datum removed = answer("flood");
  EXPECT_EQ(at(removed, "removed"), Datum{true}) << removed.to_text();
  site_.send("mill", 99);
  site_.send("mill", 101);
  EXPECT_EQ(limit_in_alert("mill"), 100);
}

TEST_P(Settings, ThatMakeNoSenseAreRefusedAndTheLastGoodOneStays) {
  site_.start();
  site_.set("flood", "42");
  const double good = number_at(answer("flood"), "version");
  site_.set("flood", "high");
  const Told refused = site_.wait_for("config-result/flood", [](const Datum& said) {
    return at(said, "accepted") == Datum{false};
  });
  EXPECT_THAT(text_at(refused.document, "reason"),
              HasSubstr("neither a number, such as 4.2, nor JSON"));
  EXPECT_EQ(number_at(refused.document, "kept_version"), good);
  site_.send("mill", 43);
  const Datum alert = site_.wait_for("alert/flood/mill").document;
  EXPECT_EQ(number_at(alert, "limit"), 42);
  EXPECT_EQ(number_at(alert, "setting"), good);
}

TEST_P(Settings, OfMonitorsThatDoNotExistAreAnswered) {
  site_.start();
  site_.set("flod", "42");
  const Datum said = site_.wait_for("config-result/flod").document;
  EXPECT_EQ(at(said, "accepted"), Datum{false});
  EXPECT_THAT(text_at(said, "reason"), HasSubstr("no monitor of this name"));
}

TEST_P(Settings, OnATopicThatNamesNothingAreAnswered) {
  site_.start();
  site_.set("flood/mill/deeper", "42");
  const Datum said = site_.wait_for("config-result/unknown").document;
  EXPECT_THAT(text_at(said, "reason"), HasSubstr("<prefix>/config/<monitor>"));
}

TEST_P(Settings, AreAnsweredForThoseWhoComeLater) {
  site_.start();
  site_.set("flood", "42");
  answer("flood");
  site_.reconnect_probe();
  EXPECT_TRUE(site_.wait_for("config-result/flood").retain);
}

TEST_P(Settings, ThatTheBrokerSendsAgainAreNotNew) {
  site_.start();
  site_.set("flood", "42");
  const double version = number_at(answer("flood"), "version");
  ASSERT_EQ(site_.stop(SIGTERM), (ExitStatus{.code = 0, .signal = {}}));
  site_.reconnect_probe();
  site_.start();
  site_.set("other", "1", false);  // behind the redelivered one
  site_.wait_for("config-result/other");
  site_.send("mill", 43);
  EXPECT_EQ(number_at(site_.wait_for("alert/flood/mill").document, "setting"), version);
  const Datum status = site_.wait_for_status(
      [](const Datum& all) { return number_at(all, "settings_rejected") == 1; });
  EXPECT_EQ(number_at(status, "settings_accepted"), 0);
}

TEST_P(Settings, OutliveAKill) {
  site_.start();
  site_.set("flood", "42", false);
  const double version = number_at(answer("flood"), "version");
  site_.kill();
  site_.start();
  site_.send("mill", 43);
  const Datum alert = site_.wait_for("alert/flood/mill").document;
  EXPECT_EQ(number_at(alert, "limit"), 42);
  EXPECT_EQ(number_at(alert, "setting"), version);
}

}  // namespace
}  // namespace sluice::test
