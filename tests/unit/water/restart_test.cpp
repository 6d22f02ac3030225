// Every kind, whatever it does: a run that is cut and restored says what an uninterrupted one says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "plugins/water/water.hpp"
#include "tests/unit/water/monitor_run.hpp"

namespace sluice::water {

namespace {

struct Case {
  std::string name;  ///< kind, and what is special
  std::string kind;
  std::vector<std::pair<std::string_view, OptionValue>> options;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"delta", "delta", {{"limit", 3.0}}},
      {"delta_per", "delta", {{"limit", 30.0}, {"per", std::int64_t{60'000}}}},
      {"threshold", "threshold", {{"above", 110.0}, {"below", 90.0}, {"deadband", 2.0}}},
      {"spike", "spike", {{"above", 112.0}, {"below", 89.0}}},
      {"silence", "silence", {{"after", std::int64_t{6000}}}},
      {"last", "last", {}},
      {"average", "average", {}},
      {"top", "top", {}},
      {"count", "count", {{"bin", 2.5}}},
      {"sum", "sum", {}},
      {"total", "total", {}},
  };
  return all;
}

/// A tide on two ordinary sensors and one with an awkward name, a late reading now and then, gaps,
/// and settings on the way.
Script all_day() {
  const std::vector<std::string> sensors{"mill-bridge", "Süd #1/+", std::string{"a\0b", 3}};
  Script script;
  for (std::int64_t i = 0; i < 60; ++i) {
    const auto which = static_cast<std::size_t>(i * 7 % 3);
    Reading reading = level(std::round(1000 + 150 * std::sin(static_cast<double>(i) / 4)) / 10,
                            2 * i, sensors[which]);
    if (i % 11 == 5) {
      reading.time -= 20'000;
      reading.quality = Quality::kLate;
    }
    script.emplace_back(reading);
    script.emplace_back(Wait{Duration{i % 9 == 8 ? 7000 : 1500}});
    if (i == 20) script.emplace_back(setting(1, Datum{Datum::Struct{{"above", Datum{105.0}}}}));
    if (i == 30) {
      script.emplace_back(setting(2, Datum{Datum::Struct{{"below", Datum{95.0}}}}, sensors[1]));
    }
    if (i == 45) script.emplace_back(removed(3));
  }
  return script;
}

class Restart : public testing::TestWithParam<Case> {
 protected:
  const MonitorKind& kind_{kind(GetParam().kind)};
  Options options_{options_of(kind_, GetParam().options)};
  Script script_{all_day()};
  std::vector<Output> uninterrupted_{outputs_of(kind_, options_, script_)};
};

TEST_P(Restart, UninterruptedRunSaysSomething) { EXPECT_GE(uninterrupted_.size(), 4U); }

TEST_P(Restart, FromAFullSnapshotAtAnyStepGoesOnAsIfNothingHadHappened) {
  for (std::size_t cut = 0; cut <= script_.size(); ++cut) {
    MemorySnapshot snapshot;
    MonitorRun first{kind_, options_};
    for (std::size_t i = 0; i < cut; ++i) first.run(script_[i]);
    first.snapshot(snapshot, true);

    MonitorRun second{kind_, options_, &snapshot.job(), first.now()};
    for (std::size_t i = cut; i < script_.size(); ++i) second.run(script_[i]);
    auto outputs = first.outputs;
    outputs.insert(outputs.end(), second.outputs.begin(), second.outputs.end());
    ASSERT_EQ(outputs, uninterrupted_) << "cut before step " << cut;
  }
}

TEST_P(Restart, FromChangesSavedAtEachStepGoesOnAsIfNothingHadHappened) {
  MemorySnapshot snapshot;
  MonitorRun first{kind_, options_};
  first.snapshot(snapshot, true);
  for (std::size_t cut = 0; cut < script_.size(); ++cut) {
    first.run(script_[cut]);
    first.snapshot(snapshot, false);

    MonitorRun second{kind_, options_, &snapshot.job(), first.now()};
    for (std::size_t i = cut + 1; i < script_.size(); ++i) second.run(script_[i]);
    auto outputs = first.outputs;
    outputs.insert(outputs.end(), second.outputs.begin(), second.outputs.end());
    ASSERT_EQ(outputs, uninterrupted_) << "cut after step " << cut;
  }
}

TEST_P(Restart, AtEveryStepOfOneRunGoesOnAsIfNothingHadHappened) {
  std::vector<Output> outputs;
  auto snapshot = std::make_unique<MemorySnapshot>();
  Timestamp now = kStart;
  MonitorRun{kind_, options_}.snapshot(*snapshot, true);
  for (const Step& step : script_) {
    MonitorRun run{kind_, options_, &snapshot->job(), now};
    run.run(step);
    outputs.insert(outputs.end(), run.outputs.begin(), run.outputs.end());
    now = run.now();
    snapshot = std::make_unique<MemorySnapshot>();
    run.snapshot(*snapshot, true);
  }
  EXPECT_EQ(outputs, uninterrupted_);
}

TEST_P(Restart, TheSameScriptTwiceGivesTheSameOutputs) {
  EXPECT_EQ(outputs_of(kind_, options_, script_), uninterrupted_);
}

INSTANTIATE_TEST_SUITE_P(AllKinds, Restart, testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST(RestartCases, CoverEveryKind) {
  for (const MonitorKind* k : water_monitors()) {
    EXPECT_THAT(cases(), testing::Contains(testing::Field(&Case::kind, k->name())));
  }
}

TEST(RestartCases, OptionsThatGrowOrShrinkTheStateAreTakenUpAtARestart) {
  const auto& top = kind("top");
  const Options five = options_of(top, {{"count", std::int64_t{5}}});
  const Options two = options_of(top, {{"count", std::int64_t{2}}});
  MonitorRun first{top, five};
  first.run({level(1), level(5), level(3), level(4), level(2)});
  MemorySnapshot snapshot;
  first.snapshot(snapshot, true);

  MonitorRun second{top, two, &snapshot.job()};
  second.run(level(0));
  EXPECT_EQ(second.outputs.back().value, (Datum{Datum::List{Datum{5.0}, Datum{4.0}}}));
}

}  // namespace

}  // namespace sluice::water
