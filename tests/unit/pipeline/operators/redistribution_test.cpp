// Who gets which operator state at a restore: OS-04..07, BC-10.
#include "pipeline/operators/redistribution.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::detail {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Lists = std::vector<std::vector<int>>;

/// Snapshots of as many instances as there are lists, each with its list under one name.
std::vector<OperatorSnapshot> instances(StateKind kind, const Lists& lists) {
  std::vector<OperatorSnapshot> result;
  for (std::uint32_t i = 0; i < lists.size(); ++i) {
    OperatorSnapshot snapshot{{"uid", i, static_cast<std::uint32_t>(lists.size()), 128}, {}};
    auto& state = snapshot.states.emplace_back(StateSnapshot{{"list", kind, "", "i32", false}, {}});
    for (const int element : lists[i]) {
      state.rows.emplace_back(Datum{static_cast<std::int64_t>(state.rows.size())}, Datum{element});
    }
    result.push_back(std::move(snapshot));
  }
  return result;
}

std::vector<int> elements(const std::vector<StateSnapshot>& states,
                          const std::string& name = "list") {
  std::vector<int> result;
  for (const auto& state : states) {
    if (state.info.name != name) continue;
    for (const auto& row : state.rows) {
      result.push_back(static_cast<int>(*row.second.get_if<std::int64_t>()));
    }
  }
  return result;
}

std::vector<const OperatorSnapshot*> pointers(const std::vector<OperatorSnapshot>& snapshots) {
  std::vector<const OperatorSnapshot*> result;
  for (const auto& snapshot : snapshots) result.insert(result.begin(), &snapshot);  // any order
  return result;
}

/// What each of `parallelism` new instances gets.
Lists redistributed(StateKind kind, const Lists& lists, std::uint32_t parallelism) {
  const auto former = instances(kind, lists);
  Lists result;
  for (std::uint32_t i = 0; i < parallelism; ++i) {
    result.push_back(elements(operator_states_for(i, parallelism, pointers(former))));
  }
  return result;
}

TEST(Redistribution, OfNothingIsNothing) {  // OS-07
  EXPECT_THAT(operator_states_for(0, 1, {}), IsEmpty());
}

TEST(Redistribution, AUnionListGoesWholeToEveryoneInOldOrder) {  // OS-04
  const Lists all{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  EXPECT_EQ(redistributed(StateKind::kUnionList, {{1, 2}, {}, {3}}, 3), all) << "same number too";
  EXPECT_EQ(redistributed(StateKind::kUnionList, {{1, 2}, {3}}, 3), all);
  EXPECT_EQ(redistributed(StateKind::kUnionList, {{1, 2}, {3}}, 1), (Lists{{1, 2, 3}}));
}

TEST(Redistribution, ASplitListStaysWhereItWasAtTheSameNumber) {  // OS-06
  const Lists uneven{{1, 2, 3, 4}, {}, {5}};
  EXPECT_EQ(redistributed(StateKind::kSplitList, uneven, 3), uneven);
}

TEST(Redistribution, ASplitListIsCutIntoRunsOfWhichTheFirstAreLonger) {  // OS-05
  EXPECT_EQ(redistributed(StateKind::kSplitList, {{1, 2, 3}, {4, 5}}, 3),
            (Lists{{1, 2}, {3, 4}, {5}}));
  EXPECT_EQ(redistributed(StateKind::kSplitList, {{1, 2}, {3}, {4, 5, 6, 7}}, 2),
            (Lists{{1, 2, 3, 4}, {5, 6, 7}}));
}

TEST(Redistribution, MoreInstancesThanElementsLeaveSomeWithNothing) {  // OS-05, OS-07
  EXPECT_EQ(redistributed(StateKind::kSplitList, {{1}}, 3), (Lists{{1}, {}, {}}));
}

TEST(Redistribution, WithSeveralSplitListsTheLongerRunsRotate) {  // OS-05
  auto former = instances(StateKind::kSplitList, {{1, 2, 3}});
  auto second = former[0].states[0];
  second.info.name = "second";
  former[0].states.push_back(second);
  const auto first = operator_states_for(0, 2, pointers(former));
  const auto last = operator_states_for(1, 2, pointers(former));
  EXPECT_THAT(elements(first, "list"), ElementsAre(1, 2));
  EXPECT_THAT(elements(last, "list"), ElementsAre(3));
  EXPECT_THAT(elements(first, "second"), ElementsAre(3));
  EXPECT_THAT(elements(last, "second"), ElementsAre(1, 2));
}

TEST(Redistribution, BroadcastStateIsTheOldInstancesOfIndexModuloTheOldNumber) {  // BC-10
  const Lists diverged{{1}, {2}};
  EXPECT_EQ(redistributed(StateKind::kBroadcast, diverged, 5), (Lists{{1}, {2}, {1}, {2}, {1}}));
  EXPECT_EQ(redistributed(StateKind::kBroadcast, diverged, 1), (Lists{{1}}));
  EXPECT_EQ(redistributed(StateKind::kBroadcast, diverged, 2), diverged);
}

}  // namespace
}  // namespace sluice::detail
