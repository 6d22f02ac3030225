#include "plugins/water/wording.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace sluice::water {

namespace {

TEST(NumberText, IsAsShortAsTheNumber) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(131), "131");
  EXPECT_EQ(number_text(-12.4), "-12.4");
  EXPECT_EQ(number_text(10'000'000), "10000000");
  EXPECT_EQ(number_text(0.003), "0.003");
}

TEST(NumberText, HidesWhatBinaryArithmeticAdds) {
  EXPECT_EQ(number_text(0.1 + 0.2), "0.3");
  EXPECT_EQ(number_text(131.0 - 118.6), "12.4");
}

TEST(NumberText, CopesWithEveryDouble) {
  using Limits = std::numeric_limits<double>;
  EXPECT_EQ(number_text(Limits::max()), "1.7976931348623157e+308");
  EXPECT_EQ(number_text(Limits::denorm_min()), "5e-324");
  EXPECT_EQ(number_text(Limits::infinity()), "1.7976931348623157e+308");
  EXPECT_EQ(number_text(-Limits::infinity()), "-1.7976931348623157e+308");
}

TEST(DifferenceText, HasNoDigitsThatTheNumbersCannotHave) {
  EXPECT_EQ(difference_text(1000000.3 - 1000000.2, 1000000.3), "0.1");
  EXPECT_EQ(difference_text(1.3 - 1.2, 1.3), "0.1");
}

TEST(AmountText, LeavesAMissingUnitOut) {
  EXPECT_EQ(amount_text(12.4, "cm"), "12.4 cm");
  EXPECT_EQ(amount_text(12.4, ""), "12.4");
  EXPECT_EQ(amount_text(12.4, "c\nm"), "12.4 c\\x0am");
}

TEST(Exceeds, IsStrict) {
  EXPECT_FALSE(exceeds(10, 10, 120));
  EXPECT_TRUE(exceeds(10.000001, 10, 120));
}

TEST(Exceeds, IsNotFooledByRounding) {
  ASSERT_GT(1.3 - 1.2, 0.1);
  EXPECT_FALSE(exceeds(1.3 - 1.2, 0.1, 1.3));
}

}  // namespace

}  // namespace sluice::water
