// MemorySnapshot: a whole picture, kept up to date by increments.
#include "pipeline/state/snapshot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

const StateInfo kValue{"last", StateKind::kValue, "text", "i32", false};

class Memory : public testing::Test {
 protected:
  Memory() { snapshot.begin_operator({"uid", 0, 1, 128}); }
  const std::vector<std::pair<Datum, Datum>>& rows() const {
    return snapshot.job().operators.front().states.front().rows;
  }
  MemorySnapshot snapshot;
};

TEST_F(Memory, IncrementsReplaceAddAndEraseRows) {
  snapshot.begin_state(kValue, true);
  for (const char* key : {"c", "a", "b"}) snapshot.put(Datum{key}, Datum{1});
  snapshot.begin_operator({"uid", 0, 1, 128});
  snapshot.begin_state(kValue, false);
  snapshot.put(Datum{"b"}, Datum{2});
  snapshot.put(Datum{"d"}, Datum{3});
  snapshot.erase(Datum{"a"});
  snapshot.erase(Datum{"unknown"});
  EXPECT_THAT(rows(), ElementsAre(Pair(Datum{"b"}, Datum{2}), Pair(Datum{"c"}, Datum{1}),
                                  Pair(Datum{"d"}, Datum{3})));
}

TEST_F(Memory, AFullStateReplacesWhatWasThere) {
  snapshot.begin_state(kValue, true);
  snapshot.put(Datum{"a"}, Datum{1});
  snapshot.begin_state(kValue, true);
  EXPECT_THAT(rows(), IsEmpty());
}

TEST_F(Memory, AnIncrementOfAnUnknownStateStartsIt) {
  snapshot.begin_state(kValue, false);
  snapshot.put(Datum{"a"}, Datum{1});
  EXPECT_THAT(rows(), SizeIs(1));
}

TEST_F(Memory, OperatorsAreKeptApartByUidAndSubtaskAndStatesByNameAndKind) {
  snapshot.begin_state(kValue, true);
  snapshot.begin_state({"last", StateKind::kSplitList, "", "i32", false}, true);
  snapshot.begin_operator({"uid", 1, 2, 128});
  snapshot.begin_state(kValue, true);
  snapshot.begin_operator({"other", 0, 1, 128});
  snapshot.begin_operator({"uid", 0, 2, 128});
  ASSERT_THAT(snapshot.job().operators, SizeIs(3));
  EXPECT_THAT(snapshot.job().operators[0].states, SizeIs(2));
  EXPECT_EQ(snapshot.job().operators[0].info.parallelism, 2U) << "the newest says";
}

TEST(StateKinds, HaveAWordEach) {
  EXPECT_EQ(to_string(StateKind::kValue), "value");
  EXPECT_EQ(to_string(StateKind::kProcessingTimers), "processing-timers");
  EXPECT_EQ(to_string(StateKind::kBroadcast), "broadcast");
  EXPECT_EQ(to_string(static_cast<StateKind>(99)), "unknown");
}

}  // namespace
}  // namespace sluice
