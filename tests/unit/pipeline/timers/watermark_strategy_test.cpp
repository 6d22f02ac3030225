// Watermark generators by themselves: WM-01, 03..07, 09, 18.
#include "pipeline/timers/watermark_strategy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;
using Strategy = WatermarkStrategy<int>;
using testing::ElementsAre;
using testing::IsEmpty;

/// What a generator says; idle is "idle".
class Said final : public WatermarkOutput {
 public:
  void emit_watermark(Timestamp watermark) override { all.push_back(std::to_string(watermark)); }
  void mark_idle() override { all.emplace_back("idle"); }
  std::vector<std::string> all;
};

TEST(WatermarkStrategies, BoundedIsMaximumLessDelayLessOne) {  // WM-01
  const auto generator = Strategy::for_bounded_out_of_orderness(10ms).make_generator();
  Said said;
  generator->on_event(0, 100, said);
  generator->on_event(0, 50, said);
  EXPECT_THAT(said.all, IsEmpty()) << "never with an element: WM-02";
  generator->on_periodic_emit(0, said);
  EXPECT_THAT(said.all, ElementsAre("89"));
}

TEST(WatermarkStrategies, BeforeTheFirstElementTheLowestIsSaidWhichIsNoNews) {  // WM-04, WM-19
  const auto generator = Strategy::for_bounded_out_of_orderness(10ms).make_generator();
  Said said;
  generator->on_periodic_emit(0, said);
  EXPECT_THAT(said.all, ElementsAre(std::to_string(kMinTimestamp)));
}

TEST(WatermarkStrategies, MonotonousIsMaximumLessOne) {  // WM-05
  const auto generator = Strategy::for_monotonous_timestamps().make_generator();
  Said said;
  generator->on_event(0, -3, said);
  generator->on_periodic_emit(0, said);
  EXPECT_THAT(said.all, ElementsAre("-4"));
}

TEST(WatermarkStrategies, NoWatermarksSaysNothing) {  // WM-07
  const auto generator = Strategy::no_watermarks().make_generator();
  Said said;
  generator->on_event(0, 5, said);
  generator->on_periodic_emit(0, said);
  EXPECT_THAT(said.all, IsEmpty());
  EXPECT_EQ(generator->next_periodic_emit(), std::nullopt);
}

TEST(WatermarkStrategies, TheAssignerIsToldTheTimeBefore) {  // WM-06
  EXPECT_EQ(Strategy::no_watermarks().assign(7, 5), 5);
  EXPECT_EQ(Strategy::no_watermarks().assign(7, std::nullopt), kMinTimestamp);
  const auto strategy = Strategy::no_watermarks().with_timestamp_assigner(
      [](int value, Timestamp before) { return before == kMinTimestamp ? value : before + value; });
  EXPECT_EQ(strategy.assign(7, std::nullopt), 7);
  EXPECT_EQ(strategy.assign(7, 10), 17);
}

TEST(WatermarkStrategies, SilenceCountsFromTheFirstCheckThatSawNothingNew) {  // WM-09
  const auto generator =
      Strategy::for_monotonous_timestamps().with_idleness(1000ms).make_generator();
  Said said;
  generator->on_event(0, 5, said);
  generator->on_periodic_emit(200, said);
  generator->on_periodic_emit(400, said);   // the silence begins
  generator->on_periodic_emit(1400, said);  // exactly the limit is not beyond it
  EXPECT_THAT(said.all, ElementsAre("4", "4", "4"));
  generator->on_periodic_emit(1401, said);
  generator->on_periodic_emit(5000, said);
  EXPECT_THAT(said.all, ElementsAre("4", "4", "4", "idle")) << "once";
  generator->on_event(0, 3, said);
  generator->on_periodic_emit(5200, said);
  EXPECT_THAT(said.all.back(), "4") << "speaks again; whether that is news, the operator knows";
}

TEST(WatermarkStrategies, ImpossibleFiguresAreRefused) {  // WM-18
  EXPECT_THROW((void)Strategy::for_bounded_out_of_orderness(-1ms), InvalidArgument);
  EXPECT_THROW((void)Strategy::no_watermarks().with_idleness(0ms), InvalidArgument);
  EXPECT_THROW((void)Strategy::no_watermarks().with_idleness(-1ms), InvalidArgument);
}

TEST(WatermarkStrategies, EachInstanceHasAGeneratorOfItsOwn) {
  const auto strategy = Strategy::for_monotonous_timestamps();
  const auto one = strategy.make_generator();
  const auto other = strategy.make_generator();
  Said said;
  one->on_event(0, 5, said);
  other->on_periodic_emit(0, said);
  EXPECT_THAT(said.all, ElementsAre(std::to_string(kMinTimestamp)));
}

TEST(WatermarkStrategy, AFactoryThatGivesNothingIsRefused) {
  const auto none = [] { return std::unique_ptr<WatermarkGenerator<int>>{}; };
  EXPECT_THROW((void)WatermarkStrategy<int>::for_generator(none).make_generator(), InvalidArgument);
  EXPECT_THROW(
      (void)WatermarkStrategy<int>::for_generator(none).with_idleness(Duration{1}).make_generator(),
      InvalidArgument);
}

}  // namespace
}  // namespace sluice
