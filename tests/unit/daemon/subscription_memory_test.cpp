#include "daemon/subscription_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::daemon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Filters = std::vector<std::string>;

class Memory : public testing::Test {
 protected:
  /// Of those it returns the broker keeps `kept`, and all the others it takes back; nothing: it
  /// says nothing.
  Filters begin(Filters current, std::optional<Filters> kept = Filters{}) {
    SubscriptionMemory memory{folder_ / "subscriptions", log_};
    auto former = memory.begin(std::move(current));
    if (kept) memory.keep(*kept);
    return former;
  }
  storage::TempDir folder_;
  storage::RecordingLog log_;
};

TEST_F(Memory, KnowsWhatIsNotSubscribedToAnyMore) {
  EXPECT_THAT(begin({"a/+", "b/#"}), IsEmpty());
  EXPECT_THAT(begin({"b/#", "c"}), ElementsAre("a/+"));
  EXPECT_THAT(begin({"b/#"}), ElementsAre("c"));
  EXPECT_THAT(begin({"b/#"}), IsEmpty());
}

TEST_F(Memory, ForgetsNothingThatTheBrokerHasNotTakenBack) {
  EXPECT_THAT(begin({"a"}), IsEmpty());
  EXPECT_THAT(begin({"b"}, std::nullopt), ElementsAre("a"));
  EXPECT_THAT(begin({"c"}, std::nullopt), ElementsAre("b", "a"));
  EXPECT_THAT(begin({"a"}), ElementsAre("c", "b"));
  EXPECT_THAT(begin({"a"}), IsEmpty());
}

TEST_F(Memory, GoesOnWithThoseThatTheBrokerKeeps) {
  EXPECT_THAT(begin({"a", "b", "c"}), IsEmpty());
  EXPECT_THAT(begin({"c"}, Filters{"b"}), ElementsAre("a", "b"));
  EXPECT_THAT(begin({"c"}, Filters{"b"}), ElementsAre("b"));
  EXPECT_THAT(begin({"c"}), ElementsAre("b"));
  EXPECT_THAT(begin({"c"}), IsEmpty());
}

TEST_F(Memory, SaysThatItCannotRememberAndGoesOn) {
  SubscriptionMemory memory{folder_ / "nowhere/subscriptions", log_};
  EXPECT_THAT(memory.begin({"a"}), IsEmpty());
  EXPECT_TRUE(log_.said("may stay at the broker"));
}

}  // namespace
}  // namespace sluice::daemon
