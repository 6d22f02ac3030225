#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/water/monitor_run.hpp"

namespace sluice::water {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Delta : public testing::Test {
 protected:
  std::vector<Output> run(const Script& script,
                          std::vector<std::pair<std::string_view, OptionValue>> options = {}) {
    return outputs_of(kind("delta"), options_of(kind("delta"), std::move(options)), script);
  }
};

TEST_F(Delta, AlertsWhenTheLevelJumpsByMoreThanTheLimit) {
  const auto outputs = run({level(118.6, 0), level(131, 60)});
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0], (Output{OutputKind::kAlert, "m", "mill-bridge", kStart + 60'000,
                                AlarmState::kEvent, Datum{131.0}, 10.0, 0, Quality::kGood,
                                "mill-bridge rose by 12.4 cm to 131 cm (limit 10 cm)"}));
}

TEST_F(Delta, AlertsWhenTheLevelFallsToo) {
  EXPECT_THAT(texts_of(run({level(131), level(118.6, 60)})),
              ElementsAre("mill-bridge fell by 12.4 cm to 118.6 cm (limit 10 cm)"));
}

TEST_F(Delta, SaysNothingAtExactlyTheLimit) {
  EXPECT_THAT(run({level(100), level(110), level(100)}), IsEmpty());
}

TEST_F(Delta, SaysNothingAtTheLimitWhereBinaryFractionsWouldBeJustBeyond) {
  EXPECT_THAT(run({level(1.2), level(1.3)}, {{"limit", 0.1}}), IsEmpty());
}

TEST_F(Delta, HasNothingToCompareTheFirstReadingWith) { EXPECT_THAT(run({level(500)}), IsEmpty()); }

TEST_F(Delta, ComparesEachSensorWithItself) {
  EXPECT_THAT(run({level(100, 0, "a"), level(200, 1, "b"), level(101, 2, "a")}), IsEmpty());
}

TEST_F(Delta, ComparesWithTheReadingBeforeAndNotTheLastAlert) {
  EXPECT_THAT(run({level(100), level(109), level(118), level(127)}), IsEmpty());
}

TEST_F(Delta, FlagsALateReading) {
  Reading late = level(150, -100);
  late.quality = Quality::kLate;
  const auto outputs = run({level(100), late});
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].quality, Quality::kLate);
}

TEST_F(Delta, WritesAnAwkwardSensorIdSafelyAndKeepsItAsKey) {
  const std::string id{"a\0\n\xff", 4};
  const auto outputs = run({level(100, 0, id), level(150, 1, id)});
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].sensor, id);
  EXPECT_THAT(outputs[0].text, testing::StartsWith("a\\x00\\x0a\\xff rose by 50 cm"));
}

TEST_F(Delta, PerTimeComparesTheRate) {
  const std::vector<std::pair<std::string_view, OptionValue>> per_minute{
      {"limit", 10.0}, {"per", std::int64_t{60'000}}};
  // 12 cm in two minutes is slow; 8 cm in half a minute is not.
  EXPECT_THAT(texts_of(run({level(100, 0), level(112, 120), level(120, 150)}, per_minute)),
              ElementsAre("mill-bridge rose by 8 cm in 30s to 120 cm, 16 cm per 1min "
                          "(limit 10 cm per 1min)"));
}

TEST_F(Delta, PerTimeTellsALateReadingInTheOrderOfTheWater) {
  const std::vector<std::pair<std::string_view, OptionValue>> per_minute{
      {"limit", 10.0}, {"per", std::int64_t{60'000}}};
  EXPECT_THAT(texts_of(run({level(120, 60), level(100, 30)}, per_minute)),
              ElementsAre("mill-bridge rose by 20 cm in 30s to 120 cm, 40 cm per 1min "
                          "(limit 10 cm per 1min)"));
}

TEST_F(Delta, PerTimeSaysNothingAboutTwoLevelsAtOneMoment) {
  EXPECT_THAT(run({level(100, 0), level(200, 0)}, {{"per", std::int64_t{60'000}}}), IsEmpty());
}

TEST_F(Delta, CopesWithTheLargestLevelsAndTimes) {
  Reading low = level(-1.7e308);
  low.time = kMinTimestamp;
  Reading high = level(1.7e308);
  high.time = kMaxTimestamp;
  auto alerts = run({low, high});
  EXPECT_EQ(alerts.size(), 1U);
  for (const Output& alert : run({low, high, low}, {{"per", std::int64_t{1}}})) {
    alerts.push_back(alert);
  }
  EXPECT_EQ(alerts.size(), 3U);
  EXPECT_THAT(texts_of(alerts), testing::Each(testing::Not(testing::HasSubstr("inf"))));
}

}  // namespace

}  // namespace sluice::water
