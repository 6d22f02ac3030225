#include "daemon/engine/site_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/engine/machine.hpp"
#include "tests/unit/daemon/engine/engine_test_support.hpp"

namespace sluice::daemon {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::string monitor(const std::string& name, const std::string& how) {
  return "[[monitor]]\nname = \"" + name + "\"\nkind = \"misfit\"\nhow = \"" + how + "\"\n";
}

Result<std::unique_ptr<Machine>> start(TestSite& site) {
  return Machine::start(site.config, site.kinds->registry, {}, site.counters, site.log);
}

/// What a machine with this monitor, called "bad", fails to start with.
Error fault_of(const std::string& how) {
  TestSite site{monitor("good", "none") + monitor("bad", how)};
  const auto machine = start(site);
  if (machine) throw std::runtime_error{how + ": it starts"};
  return machine.error();
}

std::vector<Publication> feed(Machine& machine, const storage::JournalRecord& record) {
  std::vector<Publication> out;
  machine.process(record, false, out);
  return out;
}

/// What fails at a level of 666, and the monitor that is to blame.
std::pair<std::string, std::string> failure_at_666(Machine& machine) {
  try {
    feed(machine, reading(1, "mill", 666));
  } catch (const OperatorFailure& failure) {
    return {machine.monitor_of(failure.uid()), failure.cause()};
  }
  return {};
}

TEST(SiteGraph, NamesMonitorAndKindWhereBuildThrows) {
  const auto fault = fault_of("throw in build");
  EXPECT_EQ(fault.code(), ErrorCode::kInvalid) << "starting again cannot help";
  EXPECT_THAT(fault.message(),
              HasSubstr("monitor 'bad' of kind 'misfit' cannot be built: not in the mood"));
  EXPECT_THAT(fault_of("throw a number in build").message(), HasSubstr("no std::exception"));
}

TEST(SiteGraph, AsksForAUidWithTheWordsToWrite) {
  EXPECT_THAT(fault_of("no uid").message(),
              AllOf(HasSubstr("monitor 'bad' of kind 'misfit'"), HasSubstr("has no uid"),
                    HasSubstr(".uid(inputs.name)")));
}

TEST(SiteGraph, TellsTwoMonitorsThatGiveTheSameUidApart) {
  TestSite site{monitor("one", "fixed uid") + monitor("two", "fixed uid")};
  const auto machine = start(site);
  ASSERT_FALSE(machine);
  EXPECT_THAT(machine.error().message(),
              AllOf(HasSubstr("monitor 'two'"), HasSubstr("also by monitor 'one'"),
                    HasSubstr(".uid(inputs.name)")));
}

TEST(SiteGraph, NamesTheOperatorThatCannotBeMadeOrOpened) {
  EXPECT_THAT(fault_of("throw when made").message(),
              HasSubstr("operator 'bad' cannot be made: not in the mood"));
  EXPECT_THAT(fault_of("state when made").message(),
              AllOf(HasSubstr("operator 'bad' cannot be made"), HasSubstr("open()")));
  EXPECT_THAT(fault_of("throw at open").message(),
              HasSubstr("operator 'bad' failed to open: not in the mood"));
  EXPECT_THAT(fault_of("throw a number at open").message(), HasSubstr("no std::exception"));
}

TEST(SiteGraph, SaysWhatAStateIsThatIsAskedForAsAnother) {
  EXPECT_THAT(fault_of("one name for two").message(),
              AllOf(HasSubstr("'count' exists already as value of i64"),
                    HasSubstr("cannot be used as list of i64 too")));
}

TEST(SiteGraph, BlamesTheMonitorForItsOperatorsWithoutUid) {
  TestSite site{monitor("good", "throw in a map") + monitor("bad", "throw in a map")};
  const auto machine = start(site);
  ASSERT_TRUE(machine) << machine.error().message();
  EXPECT_EQ(failure_at_666(**machine),
            std::pair(std::string{"good"}, std::string{"not in the mood"}))
      << "the first of the two sees it first";
}

TEST(SiteGraph, BlamesTheMonitorForUidsOfAnyForm) {
  TestSite site{monitor("bad", "fixed uid")};
  const auto machine = start(site);
  ASSERT_TRUE(machine) << machine.error().message();
  EXPECT_EQ((*machine)->monitor_of("fixed"), "bad");
  EXPECT_EQ((*machine)->monitor_of("$source.levels"), "");
}

TEST(OutputBound, TakesAMonitorThatFloodsForOneThatFailed) {
  TestSite site{monitor("bad", "flood")};
  const auto machine = start(site);
  ASSERT_TRUE(machine) << machine.error().message();
  const auto [blamed, cause] = failure_at_666(**machine);
  EXPECT_EQ(blamed, "bad");
  EXPECT_THAT(cause, AllOf(HasSubstr("more than 10000 outputs about sensor 'mill' at once"),
                           HasSubstr("say less")));
}

TEST(OutputBound, TakesAMonitorWhoseOutputHasNoEndForOneThatFailed) {
  TestSite site{monitor("bad", "babble")};
  const auto machine = start(site);
  ASSERT_TRUE(machine) << machine.error().message();
  const auto [blamed, cause] = failure_at_666(**machine);
  EXPECT_EQ(blamed, "bad");
  EXPECT_THAT(cause, AllOf(HasSubstr("more than the 1048576"), HasSubstr("shorten its text")));
}

TEST(OutputBound, CountsAnewForEachSensorAndEachRecord) {
  OutputBound bound;
  for (std::uint32_t i = 0; i < OutputBound::kMostOutputs; ++i) bound.count(1, "m", "a");
  for (std::uint32_t i = 0; i < OutputBound::kMostOutputs; ++i) bound.count(1, "m", "b");
  for (std::uint32_t i = 0; i < OutputBound::kMostOutputs; ++i) bound.count(1, "other", "b");
  for (std::uint32_t i = 0; i < OutputBound::kMostOutputs; ++i) bound.count(2, "m", "b");
  EXPECT_THROW(bound.count(2, "m", "b"), std::length_error);
}

}  // namespace
}  // namespace sluice::daemon
