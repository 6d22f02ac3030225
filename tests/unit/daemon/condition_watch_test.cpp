#include "daemon/condition_watch.hpp"

#include <gtest/gtest.h>

namespace sluice::daemon {
namespace {

using namespace std::chrono_literals;

class Watch : public testing::Test {
 protected:
  /// The changes at this second, as "+code" and "-code".
  std::string at(int second, std::vector<std::string> codes) {
    std::vector<Condition> conditions;
    for (auto& code : codes) conditions.push_back({code, "text of " + code});
    std::string text;
    for (const auto& change : watch_.look(conditions, start_ + std::chrono::seconds{second})) {
      text += (change.over ? "-" : "+") + change.condition.code;
    }
    return text;
  }
  ConditionWatch watch_;
  ConditionWatch::Time start_{};
};

TEST_F(Watch, AConditionCountsOnceItHasBeenThereForFiveSeconds) {
  EXPECT_EQ(at(0, {"journal"}), "");
  EXPECT_EQ(at(4, {"journal"}), "");
  EXPECT_EQ(at(5, {"journal"}), "+journal");
  EXPECT_EQ(at(6, {"journal"}), "");
}

TEST_F(Watch, ItIsOverOnceItHasBeenGoneForFiveSeconds) {
  at(0, {"journal"});
  at(5, {"journal"});
  EXPECT_EQ(at(6, {}), "");
  EXPECT_EQ(at(9, {}), "");
  EXPECT_EQ(at(10, {}), "-journal");
  EXPECT_EQ(at(11, {}), "");
}

TEST_F(Watch, AShortOneIsNotWorthAnAlert) {
  at(0, {"receiving"});
  EXPECT_EQ(at(2, {}), "");
  EXPECT_EQ(at(4, {"receiving"}), "");
  EXPECT_EQ(at(8, {"receiving"}), "") << "the five seconds began anew";
  EXPECT_EQ(at(9, {"receiving"}), "+receiving");
}

TEST_F(Watch, OneThatFluttersIsOneFault) {
  at(0, {"publishing"});
  EXPECT_EQ(at(5, {"publishing"}), "+publishing");
  EXPECT_EQ(at(7, {}), "");
  EXPECT_EQ(at(8, {"publishing"}), "");
  EXPECT_EQ(at(12, {}), "");
  EXPECT_EQ(at(13, {}), "-publishing");
}

TEST_F(Watch, ConditionsAreKeptApart) {
  at(0, {"journal", "publishing"});
  EXPECT_EQ(at(5, {"journal", "publishing"}), "+journal+publishing");
  at(6, {"journal"});
  EXPECT_EQ(at(10, {"journal"}), "-publishing");
}

TEST_F(Watch, OneThatWasSaidBeforeTheStartIsOverWhenItIsNotThere) {
  watch_.remember({"checkpoint", "text"}, start_);
  watch_.remember({"journal", "text"}, start_);
  EXPECT_EQ(at(1, {"journal"}), "");
  EXPECT_EQ(at(4, {"journal"}), "");
  EXPECT_EQ(at(5, {"journal"}), "-checkpoint");
  EXPECT_EQ(at(6, {"journal"}), "") << "that one is still there, and was said";
}

}  // namespace
}  // namespace sluice::daemon
