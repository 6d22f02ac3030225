#include "plugins/water/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/water/monitor_run.hpp"

namespace sluice::water {

namespace {

using testing::HasSubstr;

const Limits kNone{};
const Limits kAbove{.above = 4.0, .below = {}};
const Limits kBelow{.above = {}, .below = 1.0};
const Limits kBoth{.above = 4.0, .below = 1.0};

Datum object(Datum::Struct members) { return Datum{std::move(members)}; }

/// What the check makes of it, as text; of an error its message.
std::string checked(const Datum& value, const Limits& file = kAbove) {
  const auto result = check_limit_setting(value, file);
  return result ? result->to_text() : result.error().message();
}

TEST(LimitSetting, NumberIsTheLimitThatTheFileHas) {
  EXPECT_EQ(checked(Datum{4.2}, kAbove), R"({"above":4.2})");
  EXPECT_EQ(checked(Datum{4}, kNone), R"({"above":4})");
  EXPECT_EQ(checked(Datum{0.5}, kBelow), R"({"below":0.5})");
}

TEST(LimitSetting, NumberIsRefusedWhereItCouldBeEither) {
  EXPECT_THAT(checked(Datum{4.2}, kBoth), HasSubstr("does not say which"));
  EXPECT_THAT(checked(object({{"limit", 4.2}}), kBoth), HasSubstr("does not say which"));
}

TEST(LimitSetting, LimitMeansTheSameAsABareNumber) {
  EXPECT_EQ(checked(object({{"limit", 4.2}})), R"({"above":4.2})");
  EXPECT_EQ(checked(object({{"limit", 0.5}}), kBelow), R"({"below":0.5})");
}

TEST(LimitSetting, MembersComeInOneOrderWhateverWasSent) {
  EXPECT_EQ(checked(object({{"below", 1}, {"above", 3}}), kNone), R"({"above":3,"below":1})");
}

TEST(LimitSetting, NullGoesBackToTheFile) {
  EXPECT_EQ(checked(Datum{}), "null");
  EXPECT_EQ(checked(object({{"above", Datum{}}})), "null");
  EXPECT_EQ(checked(object({{"limit", Datum{}}})), "null");
}

TEST(LimitSetting, NullMemberLeavesThatSideToTheFile) {
  EXPECT_EQ(checked(object({{"above", Datum{}}, {"below", 2}})), R"({"below":2})");
}

TEST(LimitSetting, RefusesWhatIsNoNumberAndSaysWhatWouldBe) {
  EXPECT_THAT(checked(Datum{"high"}), HasSubstr("is no limit: send a number such as 4.2"));
  EXPECT_THAT(checked(Datum{true}), HasSubstr("is no limit"));
  EXPECT_THAT(checked(Datum{Datum::List{}}), HasSubstr("is no limit"));
  EXPECT_EQ(checked(object({{"above", "high"}})), R"("above" must be a number, not \x22high\x22)");
  EXPECT_EQ(checked(object({{"above", std::numeric_limits<double>::quiet_NaN()}})),
            R"("above" must be a finite number)");
  EXPECT_EQ(checked(Datum{std::numeric_limits<double>::infinity()}),
            "the limit must be a finite number");
}

TEST(LimitSetting, RefusesUnknownAndMissingMembers) {
  EXPECT_THAT(checked(object({{"abvoe", 4}})), HasSubstr("there is no \"abvoe\" here: send"));
  EXPECT_THAT(checked(object({})), HasSubstr("the object is empty: send"));
}

TEST(LimitSetting, RefusesOneLimitGivenTwice) {
  EXPECT_EQ(checked(object({{"limit", 4}, {"above", 4}})),
            R"("limit" and "above" mean the same limit here: send one of them)");
}

TEST(LimitSetting, RefusesLimitsThatLeaveNothingBetween) {
  EXPECT_EQ(checked(object({{"above", 1}, {"below", 2}})),
            R"("above" (1) must be greater than "below" (2))");
}

TEST(LimitSetting, RefusesALimitBeyondTheFilesOtherOne) {
  EXPECT_EQ(checked(object({{"above", 0.5}}), kBoth),
            "\"above\" (0.5) must be greater than \"below\" (1): the latter is the configuration "
            "file's; send both to change both");
  EXPECT_THAT(checked(object({{"below", 5}}), kBoth), HasSubstr("the former is"));
  EXPECT_EQ(checked(object({{"above", 0.5}, {"below", 0.1}}), kBoth),
            R"({"above":0.5,"below":0.1})");
}

TEST(LimitSetting, CheckedTwiceIsTheSame) {
  const auto once = check_limit_setting(Datum{4}, kAbove);
  ASSERT_TRUE(once);
  EXPECT_EQ(*check_limit_setting(*once, kAbove), *once);
}

TEST(LimitSetting, OtherKindsTakeNone) {
  const auto result = kind("delta").check_setting(Datum{4}, options_of(kind("delta")));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(), "monitors of kind 'delta' take no settings");
}

}  // namespace

}  // namespace sluice::water
