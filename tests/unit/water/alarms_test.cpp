// silence and spike.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/water/monitor_run.hpp"

namespace sluice::water {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Given = std::vector<std::pair<std::string_view, OptionValue>>;

std::vector<Output> run(std::string_view name, const Script& script, Given options = {}) {
  return outputs_of(kind(name), options_of(kind(name), std::move(options)), script);
}

Wait seconds(std::int64_t n) { return {Duration{n * 1000}}; }

TEST(Silence, AlertsOnceAndClearsWithTheNextReading) {
  const auto outputs =
      run("silence", {level(131), seconds(61), seconds(600), level(132, 661), seconds(10)});
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(outputs[0], (Output{OutputKind::kAlert, "m", "mill-bridge", kStart + 60'000,
                                AlarmState::kActive, Datum{131.0}, std::nullopt, 0, Quality::kGood,
                                "mill-bridge has sent nothing for 1min (last level 131 cm)"}));
  EXPECT_EQ(outputs[1].state, AlarmState::kCleared);
  EXPECT_EQ(outputs[1].text, "mill-bridge sends again after 661s: 132 cm");
}

TEST(Silence, IsPutOffByEachReading) {
  Script script;
  for (int i = 0; i < 10; ++i) {
    script.emplace_back(level(1, i));
    script.emplace_back(seconds(59));
  }
  EXPECT_THAT(run("silence", script), IsEmpty());
}

TEST(Silence, ComesAgainAfterANewReading) {
  EXPECT_EQ(run("silence", {level(1), seconds(61), level(1), seconds(61)}).size(), 3U);
}

TEST(Silence, IsWatchedForEachSensor) {
  const auto outputs =
      run("silence", {level(1, 0, "a"), seconds(40), level(1, 0, "b"), seconds(30)});
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].sensor, "a");
}

TEST(Silence, GoesByTheTimeReadingsComeInAndNotTheirOwn) {
  EXPECT_THAT(run("silence", {level(1, 0), level(1, 3600), seconds(59)}), IsEmpty());
}

TEST(Silence, LastsAsLongAsConfigured) {
  EXPECT_THAT(texts_of(run("silence", {level(1), seconds(6)}, {{"after", std::int64_t{5000}}})),
              ElementsAre("mill-bridge has sent nothing for 5s (last level 1 cm)"));
}

TEST(Spike, AlertsForEachLevelOutOfRange) {
  const Given range{{"above", 50.0}, {"below", 10.0}};
  const auto outputs = run("spike", {level(50), level(51), level(52), level(10), level(9)}, range);
  EXPECT_THAT(texts_of(outputs), ElementsAre("mill-bridge sent 51 cm, above the limit of 50 cm",
                                             "mill-bridge sent 52 cm, above the limit of 50 cm",
                                             "mill-bridge sent 9 cm, below the limit of 10 cm"));
  EXPECT_EQ(outputs[0].state, AlarmState::kEvent);
  EXPECT_EQ(outputs[0].limit, 50.0);
}

TEST(Spike, NeedsARange) {
  const auto& spike = kind("spike");
  EXPECT_FALSE(spike.check(options_of(spike)));
  EXPECT_FALSE(spike.check(options_of(spike, {{"above", 1.0}, {"below", 2.0}})));
  EXPECT_TRUE(spike.check(options_of(spike, {{"above", 2.0}})));
}

}  // namespace

}  // namespace sluice::water
