// Watermarks of several inputs (WM-11) and of several channels of one input (WM-13, WM-15).
#include "pipeline/operators/watermarks.hpp"

#include <gtest/gtest.h>

namespace sluice::detail {
namespace {

constexpr std::nullopt_t kNone = std::nullopt;
using Time = std::optional<Timestamp>;
using Idle = std::optional<bool>;

#define EXPECT_CHANGE(change, expected_watermark, expected_idle) \
  do {                                                           \
    const auto got = (change);                                   \
    EXPECT_EQ(got.watermark, Time{expected_watermark});          \
    EXPECT_EQ(got.idle, Idle{expected_idle});                    \
  } while (false)

TEST(CombinedWatermark, IsTheMinimumOfBoth) {  // WM-11, CO-05
  CombinedWatermark combined{2};
  EXPECT_EQ(combined.watermark(0, 10), kNone) << "the other side is silent";
  EXPECT_EQ(combined.watermark(1, 5), 5);
  EXPECT_EQ(combined.watermark(1, 20), 10);
  EXPECT_EQ(combined.watermark(1, 30), kNone);
}

TEST(CombinedWatermark, NeverGoesDown) {
  CombinedWatermark combined{2};
  (void)combined.watermark(0, 10);
  EXPECT_EQ(combined.watermark(1, 10), 10);
  EXPECT_EQ(combined.watermark(0, 3), kNone);
  EXPECT_EQ(combined.watermark(0, 11), kNone);
  EXPECT_EQ(combined.watermark(1, 12), 11);
}

TEST(CombinedWatermark, AnInputThatFallsIdleMayRaiseIt) {
  CombinedWatermark combined{2};
  (void)combined.watermark(0, 10);
  EXPECT_CHANGE(combined.idle(1, true), 10, kNone);
}

TEST(CombinedWatermark, AnInputThatComesBackLowerHoldsItAndDoesNotLowerIt) {
  CombinedWatermark combined{2};
  (void)combined.watermark(0, 10);
  (void)combined.idle(1, true);
  EXPECT_CHANGE(combined.idle(1, false), kNone, kNone);
  EXPECT_EQ(combined.watermark(0, 20), kNone) << "held";
  EXPECT_EQ(combined.watermark(1, 15), 15);
}

TEST(CombinedWatermark, AWatermarkWakesAnIdleInput) {
  CombinedWatermark combined{2};
  (void)combined.watermark(0, 10);
  (void)combined.idle(1, true);
  EXPECT_EQ(combined.watermark(1, 12), kNone);
  EXPECT_EQ(combined.watermark(0, 20), 12) << "input 1 counts again";
}

TEST(CombinedWatermark, WithAllIdleItStaysAndIdleGoesOnOnce) {
  CombinedWatermark combined{2};
  (void)combined.watermark(0, 10);
  (void)combined.watermark(1, 5);
  EXPECT_CHANGE(combined.idle(0, true), kNone, kNone);
  EXPECT_CHANGE(combined.idle(1, true), kNone, true);
  EXPECT_CHANGE(combined.idle(1, true), kNone, kNone);
}

TEST(CombinedWatermark, OnReturnFromAllIdleTheRaisedWatermarkComesWithTheStatus) {
  CombinedWatermark combined{2};
  (void)combined.watermark(0, 10);
  (void)combined.watermark(1, 5);
  (void)combined.idle(0, true);
  (void)combined.idle(1, true);
  EXPECT_CHANGE(combined.idle(0, false), 10, false);
}

TEST(CombinedWatermark, AWatermarkAfterAllIdleGoesOutWithoutActive) {
  CombinedWatermark combined{2};
  (void)combined.idle(0, true);
  (void)combined.idle(1, true);
  EXPECT_EQ(combined.watermark(0, 7), 7);
  EXPECT_CHANGE(combined.idle(0, false), kNone, kNone);
  EXPECT_CHANGE(combined.idle(0, true), kNone, true);
}

TEST(CombinedWatermark, TheFinalWatermarkOfBothIsTheEnd) {
  CombinedWatermark combined{2};
  EXPECT_EQ(combined.watermark(0, kMaxTimestamp), kNone);
  EXPECT_EQ(combined.watermark(1, kMaxTimestamp), kMaxTimestamp);
}

TEST(ChannelValve, IgnoresAWatermarkThatIsNotHigher) {  // WM-13
  ChannelValve valve{1};
  EXPECT_EQ(valve.watermark(0, 10), 10);
  EXPECT_EQ(valve.watermark(0, 10), kNone);
  EXPECT_EQ(valve.watermark(0, 9), kNone);
  EXPECT_EQ(valve.watermark(0, 11), 11);
}

TEST(ChannelValve, LetsTheMinimumOfAllChannelsThrough) {  // WM-15
  ChannelValve valve{3};
  EXPECT_EQ(valve.watermark(0, 10), kNone);
  EXPECT_EQ(valve.watermark(1, 8), kNone);
  EXPECT_EQ(valve.watermark(2, 20), 8);
  EXPECT_EQ(valve.watermark(1, 15), 10);
}

TEST(ChannelValve, ALowerWatermarkOfOneChannelYieldsNothing) {
  ChannelValve valve{2};
  (void)valve.watermark(0, 10);
  EXPECT_EQ(valve.watermark(1, 10), 10);
  EXPECT_EQ(valve.watermark(0, 4), kNone);
  EXPECT_EQ(valve.watermark(1, 20), kNone);
  EXPECT_EQ(valve.watermark(0, 12), 12);
}

TEST(ChannelValve, AnIdleChannelDoesNotHoldBack) {
  ChannelValve valve{2};
  (void)valve.watermark(0, 10);
  EXPECT_CHANGE(valve.idle(1, true), 10, kNone);
  EXPECT_EQ(valve.watermark(0, 20), 20);
}

TEST(ChannelValve, IgnoresWatermarksOfAnIdleChannel) {
  ChannelValve valve{2};
  (void)valve.idle(1, true);
  EXPECT_EQ(valve.watermark(1, 50), kNone);
  EXPECT_EQ(valve.watermark(0, 10), 10);
  (void)valve.idle(1, false);
  EXPECT_EQ(valve.watermark(0, 20), 20) << "channel 1 is behind and does not count yet";
}

TEST(ChannelValve, AChannelThatComesBackBehindCountsOnceItHasCaughtUp) {
  ChannelValve valve{2};
  (void)valve.watermark(0, 10);
  (void)valve.watermark(1, 5);
  (void)valve.idle(1, true);  // raised to 10
  EXPECT_CHANGE(valve.idle(1, false), kNone, kNone);
  EXPECT_EQ(valve.watermark(1, 8), kNone) << "still behind";
  EXPECT_EQ(valve.watermark(0, 20), 20) << "and so does not hold back";
  EXPECT_EQ(valve.watermark(1, 20), kNone) << "caught up";
  EXPECT_EQ(valve.watermark(0, 30), kNone) << "now it holds back";
  EXPECT_EQ(valve.watermark(1, 25), 25);
}

TEST(ChannelValve, AChannelThatComesBackInFrontCountsAtOnce) {
  ChannelValve valve{2};
  (void)valve.watermark(1, 15);
  (void)valve.idle(1, true);
  EXPECT_EQ(valve.watermark(0, 10), 10);
  (void)valve.idle(1, false);
  EXPECT_EQ(valve.watermark(0, 20), 15);
}

TEST(ChannelValve, TheLastToFallIdleLetsTheHighestOfAllThrough) {
  ChannelValve valve{3};
  (void)valve.watermark(0, 10);
  (void)valve.watermark(1, 20);
  EXPECT_EQ(valve.watermark(2, 5), 5);
  EXPECT_CHANGE(valve.idle(0, true), kNone, kNone);
  EXPECT_CHANGE(valve.idle(1, true), kNone, kNone);
  EXPECT_CHANGE(valve.idle(2, true), 20, true);
  EXPECT_CHANGE(valve.idle(2, true), kNone, kNone);
}

TEST(ChannelValve, TheLastToFallIdleInFrontOfTheCurrentOneRaisesNothing) {
  ChannelValve valve{2};
  (void)valve.watermark(0, 30);
  EXPECT_EQ(valve.watermark(1, 10), 10);
  EXPECT_CHANGE(valve.idle(1, true), 30, kNone);
  EXPECT_CHANGE(valve.idle(0, true), kNone, true);
}

TEST(ChannelValve, TheFirstToComeBackSaysActive) {
  ChannelValve valve{2};
  (void)valve.idle(0, true);
  (void)valve.idle(1, true);
  EXPECT_CHANGE(valve.idle(0, false), kNone, false);
  EXPECT_CHANGE(valve.idle(1, false), kNone, kNone);
  EXPECT_CHANGE(valve.idle(1, false), kNone, kNone);
}

}  // namespace
}  // namespace sluice::detail
