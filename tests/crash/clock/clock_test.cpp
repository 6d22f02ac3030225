// The wall clock is set while the daemon runs: by a day, and back by an hour. libfaketime plays it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/crash/start_watching.hpp"
#include "tests/integration/site.hpp"

namespace sluice::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class Clock : public testing::Test {
 protected:
  Clock() { set_clock("+0"); }

  /// As libfaketime understands it: how far the wall clock is off.
  void set_clock(const std::string& offset) {
    const auto fresh = site_.folder().write("offset.new", offset + "\n");
    std::filesystem::rename(fresh, site_.folder() / "offset");  // never seen half written
  }

  void start() {
    start_watching(site_, {{"LD_PRELOAD", SLUICE_LIBFAKETIME},
                           {"FAKETIME_TIMESTAMP_FILE", (site_.folder() / "offset").string()},
                           {"FAKETIME_NO_CACHE", "1"},
                           {"FAKETIME_DONT_FAKE_MONOTONIC", "1"}});
  }

  /// Log, status and an alert tell of it.
  void expect_told(const std::string& direction) {
    EXPECT_TRUE(site_.daemon().wait_for_text("the wall clock was set " + direction))
        << site_.daemon().errors();
    const Told alert = site_.wait_for("alert/sluice/clock", [&](const Datum& document) {
      return text_at(document, "text").find("set " + direction) != std::string::npos;
    });
    EXPECT_THAT(text_at(alert.document, "text"), HasSubstr("delays go on counting real time"));
  }

  /// Readings go on, and are compared with the ones before the step.
  void expect_watching(double level) {
    site_.send("mill", level);
    site_.wait_for("alert/jump/mill",
                   [&](const Datum& alert) { return number_at(alert, "value") == level; });
  }

  /// By the journal's order: what came in later has been through, so the step has been as well.
  void expect_no_silence() {
    std::this_thread::sleep_for(600ms);  // a timer that is due fires within half a second
    expect_watching(next_level_ += 100);
    EXPECT_TRUE(site_.told("alert/quiet/").empty());
    EXPECT_TRUE(site_.told("alarm/quiet/").empty());
  }

  MosquittoBroker broker_;
  Site site_{
      broker_,
      {.monitors = std::string{kUsualMonitors} +
                   "[[monitor]]\nname = \"quiet\"\nkind = \"silence\"\nafter = \"10min\"\n"}};
  double next_level_{1000};
};

TEST_F(Clock, SetForwardByADayMakesNobodySilent) {
  start();
  site_.send("mill", 1);
  expect_watching(50);
  set_clock("+1d");
  expect_told("forward by 86400 s");
  expect_no_silence();
  site_.wait_for_status([](const Datum& status) {
    return number_at(status, "clock_steps") == 1 &&
           number_at(status, "last_clock_step_ms") > 86'000'000;
  });
}

TEST_F(Clock, SetBackByAnHourStopsNothing) {
  start();
  site_.send("mill", 1);
  expect_watching(50);
  set_clock("-1h");
  expect_told("back by 3600 s");
  expect_no_silence();
  site_.wait_for_status([](const Datum& status) {
    return number_at(status, "clock_steps") == 1 &&
           number_at(status, "last_clock_step_ms") < -3'500'000;
  });
}

TEST_F(Clock, SetToAndFroAndAKillInBetweenLoseNothing) {
  start();
  site_.send("mill", 1);
  expect_watching(50);
  set_clock("+1d");
  expect_told("forward by 86400 s");
  site_.kill();
  start();
  expect_no_silence();
  set_clock("-1h");
  expect_told("back by");
  site_.kill();
  start();
  expect_no_silence();
}

}  // namespace
}  // namespace sluice::test
