// What holds for every kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "plugins/water/water.hpp"
#include "tests/unit/water/monitor_run.hpp"

namespace sluice::water {

namespace {

TEST(Kinds, HaveDifferentNamesAndSayWhatTheyDo) {
  std::set<std::string_view> names;
  for (const MonitorKind* kind : water_monitors()) {
    EXPECT_TRUE(names.insert(kind->name()).second) << kind->name();
    EXPECT_FALSE(kind->help().empty()) << kind->name();
    EXPECT_FALSE(kind->help().ends_with('.')) << kind->name();
  }
}

TEST(Kinds, HaveFallbacksThatTheirOwnTablesAccept) {
  for (const MonitorKind* kind : water_monitors()) {
    EXPECT_NO_THROW(options_of(*kind)) << kind->name();
    for (const OptionSpec& option : kind->options()) {
      EXPECT_FALSE(option.help.empty()) << kind->name() << "." << option.name;
      EXPECT_FALSE(option.help.ends_with('.')) << kind->name() << "." << option.name;
    }
  }
}

TEST(Kinds, CanAllWatchTheSameReadingsInOneJob) {
  Environment environment;
  auto readings = environment.from_source<Reading>("readings");
  auto settings = environment.from_source<Setting>("settings");
  std::set<std::string> spoke;
  for (const MonitorKind* kind : water_monitors()) {
    kind->build({std::string{kind->name()}, readings, settings},
                options_of(*kind, {{"above", 0.5}}))
        .sink_to([&spoke](const Output& output) { spoke.insert(output.monitor); });
  }
  auto job = Job::start(environment, {});
  ASSERT_TRUE(job) << job.error().message();
  (*job)->emit("readings", level(100));
  (*job)->emit("readings", level(200));
  (*job)->advance_processing_time(100'000);
  for (const MonitorKind* kind : water_monitors()) {
    EXPECT_THAT(spoke, testing::Contains(std::string{kind->name()}));
  }
}

TEST(Kinds, ADeadbandLeavesRoomBetweenTheLimits) {
  const auto check = [](double deadband) {
    return kind("threshold")
        .check(options_of(kind("threshold"),
                          {{"above", 4.0}, {"below", 3.0}, {"deadband", deadband}}));
  };
  EXPECT_TRUE(check(0.5));
  ASSERT_FALSE(check(1.0));
  EXPECT_NE(check(1.0).error().message().find("'deadband' (1)"), std::string::npos);
}

}  // namespace

}  // namespace sluice::water
