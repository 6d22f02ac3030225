#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/water/monitor_run.hpp"

namespace sluice::water {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Given = std::vector<std::pair<std::string_view, OptionValue>>;

Datum above(double limit) { return Datum{Datum::Struct{{"above", Datum{limit}}}}; }

std::vector<Output> run(const Script& script, Given options = {{"above", 100.0}}) {
  return outputs_of(kind("threshold"), options_of(kind("threshold"), std::move(options)), script);
}

std::vector<AlarmState> states(const std::vector<Output>& outputs) {
  std::vector<AlarmState> out;
  for (const Output& output : outputs) out.push_back(output.state);
  return out;
}

TEST(Threshold, RaisesOnceAndClearsOnce) {
  const auto outputs =
      run({level(99, 0), level(101, 1), level(105, 2), level(100, 3), level(90, 4)});
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(outputs[0], (Output{OutputKind::kAlert, "m", "mill-bridge", kStart + 1000,
                                AlarmState::kActive, Datum{101.0}, 100.0, 0, Quality::kGood,
                                "mill-bridge is at 101 cm, above the limit of 100 cm"}));
  EXPECT_EQ(outputs[1].state, AlarmState::kCleared);
  EXPECT_EQ(outputs[1].text, "mill-bridge is at 100 cm, no longer above the limit of 100 cm");
}

TEST(Threshold, IsStrict) { EXPECT_THAT(run({level(100)}), IsEmpty()); }

TEST(Threshold, WatchesALowerLimit) {
  EXPECT_THAT(texts_of(run({level(5), level(4), level(6)}, {{"below", 5.0}})),
              ElementsAre("mill-bridge is at 4 cm, below the limit of 5 cm",
                          "mill-bridge is at 6 cm, no longer below the limit of 5 cm"));
}

TEST(Threshold, FromOneSideToTheOtherClearsTheFirstAlarm) {
  EXPECT_THAT(texts_of(run({level(11), level(1)}, {{"above", 10.0}, {"below", 2.0}})),
              ElementsAre("mill-bridge is at 11 cm, above the limit of 10 cm",
                          "mill-bridge is at 1 cm, no longer above the limit of 10 cm",
                          "mill-bridge is at 1 cm, below the limit of 2 cm"));
}

TEST(Threshold, KeepsTheAlarmWithinTheDeadband) {
  const auto outputs = run({level(0.25), level(0.31), level(0.21), level(0.31), level(0.2)},
                           {{"above", 0.3}, {"deadband", 0.1}});
  ASSERT_THAT(states(outputs), ElementsAre(AlarmState::kActive, AlarmState::kCleared));
  EXPECT_EQ(outputs[1].value, Datum{0.2});
}

TEST(Threshold, DeadbandRaisesNoAlarmByItself) {
  EXPECT_THAT(run({level(95), level(100)}, {{"above", 100.0}, {"deadband", 10.0}}), IsEmpty());
}

TEST(Threshold, EachSensorHasItsOwnAlarm) {
  EXPECT_THAT(states(run({level(101, 0, "a"), level(101, 0, "b"), level(99, 1, "a")})),
              ElementsAre(AlarmState::kActive, AlarmState::kActive, AlarmState::kCleared));
}

TEST(Threshold, FlagsALateReading) {
  Reading late = level(101, -60);
  late.quality = Quality::kLate;
  const auto outputs = run({late});
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].quality, Quality::kLate);
}

TEST(Threshold, TakesALimitFromASettingAndSaysWhichVersion) {
  const auto outputs = run({setting(7, above(50)), level(60)});
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].limit, 50.0);
  EXPECT_EQ(outputs[0].setting_version, 7);
}

TEST(Threshold, LooksAtAChangedLimitWithTheNextReading) {
  const auto outputs =
      run({level(60), setting(7, above(50)), level(60), setting(8, above(70)), level(60)});
  ASSERT_THAT(states(outputs), ElementsAre(AlarmState::kActive, AlarmState::kCleared));
  EXPECT_EQ(outputs[1].setting_version, 8);
  EXPECT_EQ(outputs[1].text, "mill-bridge is at 60 cm, no longer above the limit of 70 cm");
}

TEST(Threshold, SettingOfASensorBeatsTheOneForAll) {
  const Script script{setting(1, above(50), "a"), setting(2, above(10)), level(20, 0, "a"),
                      level(20, 0, "b")};
  const auto outputs = run(script);
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].sensor, "b");
}

TEST(Threshold, RemovedSettingGivesWayToTheNextWiderOne) {
  const auto outputs = run({setting(1, above(10)), setting(2, above(50), "a"), removed(3, "a"),
                            level(20, 0, "a"), removed(4), level(20, 1, "a"), level(101, 2, "a")});
  ASSERT_THAT(states(outputs),
              ElementsAre(AlarmState::kActive, AlarmState::kCleared, AlarmState::kActive));
  EXPECT_EQ(outputs[0].setting_version, 1);
  EXPECT_EQ(outputs[1].setting_version, 0);
  EXPECT_EQ(outputs[2].limit, 100.0);
}

TEST(Threshold, NullSettingIsARemovedOne) {
  EXPECT_THAT(run({setting(1, above(10)), setting(2, Datum{}), level(20)}), IsEmpty());
}

TEST(Threshold, SettingChangesOnlyTheSideItNames) {
  const auto outputs =
      run({setting(1, above(50)), level(1), level(60)}, {{"above", 100.0}, {"below", 2.0}});
  ASSERT_EQ(outputs.size(), 3U);
  EXPECT_EQ(outputs[0].limit, 2.0);
  EXPECT_EQ(outputs[0].setting_version, 0);
  EXPECT_EQ(outputs[2].limit, 50.0);
  EXPECT_EQ(outputs[2].setting_version, 1);
}

TEST(Threshold, WithoutAnyLimitWaitsForASetting) {
  EXPECT_THAT(states(run({level(1e9), setting(1, above(10)), level(20)}, {})),
              ElementsAre(AlarmState::kActive));
}

TEST(Threshold, ClearsWhenTheLimitIsTakenAway) {
  EXPECT_THAT(texts_of(run({setting(1, above(10)), level(20), removed(2), level(20)}, {})),
              ElementsAre("mill-bridge is at 20 cm, above the limit of 10 cm",
                          "mill-bridge is at 20 cm; the limit that it was above has been removed"));
}

TEST(Threshold, RefusesLimitsThatLeaveNothingBetween) {
  const auto& threshold = kind("threshold");
  EXPECT_TRUE(threshold.check(options_of(threshold, {{"above", 2.0}, {"below", 1.0}})));
  const auto status = threshold.check(options_of(threshold, {{"above", 1.0}, {"below", 1.0}}));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "'below' (1) must be less than 'above' (1), or every level would be beyond a limit");
}

}  // namespace

}  // namespace sluice::water
