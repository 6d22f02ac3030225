// The kinds that derive values: average, top, last, count, sum, total.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/unit/water/monitor_run.hpp"

namespace sluice::water {

namespace {

using testing::ElementsAre;

std::vector<Output> run(std::string_view name, const Script& script,
                        std::vector<std::pair<std::string_view, OptionValue>> options = {}) {
  return outputs_of(kind(name), options_of(kind(name), std::move(options)), script);
}

std::vector<Datum> values(std::string_view name, const Script& script,
                          std::vector<std::pair<std::string_view, OptionValue>> options = {}) {
  return values_of(run(name, script, std::move(options)));
}

std::vector<std::string> words(const std::vector<Datum>& data) {
  std::vector<std::string> out;
  std::transform(data.begin(), data.end(), std::back_inserter(out),
                 [](const Datum& d) { return d.to_text(); });
  return out;
}

TEST(Average, IsTheMeanOfEachSensor) {
  EXPECT_THAT(values("average", {level(1, 0, "a"), level(10, 0, "b"), level(2, 1, "a"),
                                 level(6, 2, "a"), level(20, 1, "b")}),
              ElementsAre(Datum{1.0}, Datum{10.0}, Datum{1.5}, Datum{3.0}, Datum{15.0}));
}

TEST(Average, CarriesTimeSensorAndQualityOfTheReading) {
  Reading late = level(7, 5, "b");
  late.quality = Quality::kLate;
  EXPECT_THAT(run("average", {late}),
              ElementsAre(Output{OutputKind::kValue, "m", "b", kStart + 5000, AlarmState::kEvent,
                                 Datum{7.0}, std::nullopt, 0, Quality::kLate, ""}));
}

TEST(Average, KeepsCountAndMeanInTheDatabase) {
  const Options none;
  MonitorRun run{kind("average"), none};
  run.run({level(1), level(2)});
  MemorySnapshot snapshot;
  run.snapshot(snapshot, true);
  ASSERT_EQ(snapshot.job().operators.size(), 1U);
  EXPECT_EQ(snapshot.job().operators[0].info.uid, "m");
  const auto& state = snapshot.job().operators[0].states.at(0);
  EXPECT_EQ(state.info.name, "mean");
  EXPECT_EQ(state.info.value_type, "struct Mean{count:i64,mean:f64}");
  ASSERT_EQ(state.rows.size(), 1U);
  EXPECT_EQ(state.rows[0].second.to_text(), R"({"count":2,"mean":1.5})");
}

TEST(Average, IsFiniteForTheLargestLevels) {
  constexpr double kMax = std::numeric_limits<double>::max();
  for (const Datum& value : values("average", {level(kMax), level(-kMax), level(-kMax)})) {
    EXPECT_TRUE(std::isfinite(*value.get_if<double>()));
  }
}

TEST(Top, ListsTheHighestFirstWithRepeats) {
  EXPECT_THAT(words(values("top", {level(3), level(5), level(1), level(5), level(4), level(2)})),
              ElementsAre("[3]", "[5,3]", "[5,3,1]", "[5,5,3]", "[5,5,4]", "[5,5,4]"));
}

TEST(Top, KeepsAsManyAsConfigured) {
  EXPECT_THAT(words(values("top", {level(3), level(5)}, {{"count", std::int64_t{1}}})),
              ElementsAre("[3]", "[5]"));
}

TEST(Last, GivesTheLevelBeforeUntilItIsForgotten) {
  EXPECT_THAT(words(values("last", {level(1), Wait{Duration{4999}}, level(2), Wait{Duration{5000}},
                                    level(3)})),
              ElementsAre(R"({"level":1,"previous":null})", R"({"level":2,"previous":1})",
                          R"({"level":3,"previous":null})"));
}

TEST(Last, CountsTheTimeThatReadingsComeInAndNotTheirOwn) {
  EXPECT_THAT(words(values("last", {level(1, 0), level(2, 3600)})),
              ElementsAre(R"({"level":1,"previous":null})", R"({"level":2,"previous":1})"));
}

TEST(Last, RemembersAsLongAsConfigured) {
  EXPECT_THAT(words(values("last", {level(1), Wait{Duration{59'999}}, level(2)},
                           {{"ttl", std::int64_t{60'000}}})),
              ElementsAre(testing::_, R"({"level":2,"previous":1})"));
}

TEST(Count, CountsEachLevelByItsBin) {
  EXPECT_THAT(words(values("count", {level(2), level(2.9), level(3), level(-0.5), level(2.5)})),
              ElementsAre(R"({"level":2,"count":1})", R"({"level":2,"count":2})",
                          R"({"level":3,"count":1})", R"({"level":-1,"count":1})",
                          R"({"level":2,"count":3})"));
}

TEST(Count, PutsEdgesIntoTheirOwnBinInSpiteOfBinaryFractions) {
  const auto bins = values("count", {level(0.3), level(0.35)}, {{"bin", 0.1}});
  EXPECT_EQ(bins[1].member("count")->to_text(), "2");
}

TEST(Count, CopesWithLevelsThatTheBinCannotDivide) {
  const auto bins = values("count", {level(1.7e308), level(1.7e308)}, {{"bin", 1e-6}});
  EXPECT_EQ(bins[1].member("count")->to_text(), "2");
}

TEST(Sum, AddsUpEachSensor) {
  EXPECT_THAT(values("sum", {level(3e9, 0, "a"), level(1, 0, "b"), level(3e9, 1, "a")}),
              ElementsAre(Datum{3e9}, Datum{1.0}, Datum{6e9}));
}

TEST(Sum, StaysFinite) {
  constexpr double kMax = std::numeric_limits<double>::max();
  EXPECT_THAT(values("sum", {level(kMax), level(kMax)}), ElementsAre(Datum{kMax}, Datum{kMax}));
}

const Datum kReset{Datum::Struct{{"reset", true}}};

TEST(Reset, BeginsAnewForAllSensorsOrForOne) {
  for (const char* name : {"average", "top", "count", "sum"}) {
    const auto fresh = values(name, {level(2, 0, "a")});
    const auto both = values(name, {level(2, 0, "a"), level(2, 0, "b"), setting(1, kReset),
                                    level(2, 1, "a"), level(2, 1, "b")});
    ASSERT_EQ(both.size(), 4U) << name;
    EXPECT_EQ(both[2], fresh[0]) << name;
    EXPECT_EQ(both[3], fresh[0]) << name;
    const auto one = values(name, {level(1e15, 0, "a"), level(2, 0, "b"), setting(1, kReset, "a"),
                                   level(2, 1, "a"), level(2, 1, "b"), removed(2)});
    EXPECT_EQ(one[2], fresh[0]) << name;
    const auto going_on = values(name, {level(2, 0, "b"), level(2, 1, "b")});
    EXPECT_EQ(one[3], going_on[1]) << name;
  }
}

TEST(Reset, IsAllThatCanBeSent) {
  for (const char* name : {"average", "top", "count", "sum"}) {
    const Options options = options_of(kind(name));
    EXPECT_EQ(*kind(name).check_setting(kReset, options), kReset) << name;
    for (const Datum& other : {Datum{5}, Datum{"reset"}, Datum{}, Datum{Datum::Struct{}},
                               Datum{Datum::Struct{{"reset", false}}},
                               Datum{Datum::Struct{{"reset", true}, {"x", 1}}}}) {
      const auto result = kind(name).check_setting(other, options);
      ASSERT_FALSE(result) << name << " " << other.to_text();
      EXPECT_THAT(result.error().message(), testing::HasSubstr("{\"reset\": true}"));
    }
  }
}

TEST(Total, CountsTheReadingsOfAllSensors) {
  const auto outputs = run("total", {level(3, 0, "a"), level(1, 0, "b"), level(9, 1, "a")});
  EXPECT_THAT(values_of(outputs), ElementsAre(Datum{1}, Datum{2}, Datum{3}));
  EXPECT_EQ(outputs[2].sensor, "");
}

}  // namespace

}  // namespace sluice::water
