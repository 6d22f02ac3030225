#include "daemon/site_clock.hpp"

#include <gtest/gtest.h>

namespace sluice::daemon {
namespace {

class Clocks : public testing::Test {
 protected:
  SiteClock make(Timestamp not_before = kMinTimestamp) {
    return SiteClock{not_before, {[this] { return wall_; }, [this] { return steady_; }}};
  }
  void pass(Timestamp time) {
    wall_ += time;
    steady_ += time;
  }
  Timestamp wall_{1'000'000};
  Timestamp steady_{50};
};

TEST_F(Clocks, StartAtTheWallClockAndRunWithTheMonotonicOne) {
  const SiteClock clock = make();
  EXPECT_EQ(clock.now(), 1'000'000);
  pass(250);
  EXPECT_EQ(clock.now(), 1'000'250);
}

TEST_F(Clocks, StartNoEarlierThanTheJournalEnds) {
  SiteClock clock = make(2'000'000);
  EXPECT_EQ(clock.now(), 2'000'000);
  EXPECT_EQ(clock.check_for_step(), 0) << "nobody has moved the wall clock since";
  pass(10);
  EXPECT_EQ(clock.now(), 2'000'010);
}

TEST_F(Clocks, AdoptAStepForward) {
  SiteClock clock = make();
  wall_ += 86'400'000;
  EXPECT_EQ(clock.now(), 1'000'000) << "not before it is noticed";
  EXPECT_EQ(clock.check_for_step(), 86'400'000);
  EXPECT_EQ(clock.now(), 87'400'000);
  EXPECT_EQ(clock.check_for_step(), 0) << "told once";
}

TEST_F(Clocks, TellOfTheirJumpBeforeAnybodySeesIt) {
  SiteClock clock = make();
  wall_ += 7'000;
  Timestamp told = 0;
  Timestamp seen = 0;
  clock.check_for_step([&](Timestamp ahead) {
    told = ahead;
    seen = clock.now();
  });
  EXPECT_EQ(told, 7'000);
  EXPECT_EQ(seen, 1'000'000);
  EXPECT_EQ(clock.now(), 1'007'000);
  wall_ -= 3'000;
  clock.check_for_step([](Timestamp) { FAIL() << "a step back is no jump of ours"; });
}

TEST_F(Clocks, NeverGoBack) {
  SiteClock clock = make();
  wall_ -= 5'000;
  EXPECT_EQ(clock.check_for_step(), -5'000);
  EXPECT_EQ(clock.now(), 1'000'000);
  pass(1'000);
  EXPECT_EQ(clock.now(), 1'001'000);
}

TEST_F(Clocks, CatchUpOnlyWithWhatTheyAreNotAheadOf) {
  SiteClock clock = make();
  wall_ -= 5'000;
  clock.check_for_step();
  wall_ += 7'000;
  EXPECT_EQ(clock.check_for_step(), 7'000);
  EXPECT_EQ(clock.now(), 1'002'000);
}

TEST_F(Clocks, PassOverSmallDifferencesUntilTheyAddUp) {
  SiteClock clock = make();
  wall_ += 499;
  EXPECT_EQ(clock.check_for_step(), 0);
  EXPECT_EQ(clock.now(), 1'000'000);
  wall_ += 1;
  EXPECT_EQ(clock.check_for_step(), 500);
}

TEST_F(Clocks, GoAtHalfSpeedUntilTheWallClockHasCaughtUp) {
  SiteClock clock = make();
  pass(86'400'000);
  const Timestamp before = clock.now();
  wall_ -= 5'000;
  clock.check_for_step();
  EXPECT_EQ(clock.ahead(), 5'000);
  EXPECT_EQ(clock.fall_back(), 0) << "no time has passed";
  for (int second = 1; second <= 10; ++second) {
    pass(1'000);
    EXPECT_EQ(clock.fall_back(), 500);
    EXPECT_EQ(clock.now(), before + 500 * second);
  }
  EXPECT_EQ(clock.ahead(), 0);
  pass(1'000);
  EXPECT_EQ(clock.fall_back(), 0);
  EXPECT_EQ(clock.now(), before + 6'000);
}

TEST(SystemClocks, AreThoseOfTheSystem) {
  const SiteClock clock;
  EXPECT_GT(clock.now(), 1'600'000'000'000);
}

}  // namespace
}  // namespace sluice::daemon
