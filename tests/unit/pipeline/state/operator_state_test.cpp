// Operator state and broadcast state of one instance: OS-07..10, BC-03..08.
#include "pipeline/state/operator_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

const OperatorInfo kInfo{"operator", 0, 1, 128};

class OperatorStates : public testing::Test {
 protected:
  void write(bool full) {
    kept.begin_operator(kInfo);
    store.write(kept, full);
  }
  const std::vector<StateSnapshot>& written() const { return kept.job().operators.front().states; }
  OperatorStateStore store{"operator"};
  MemorySnapshot kept;
};

TEST_F(OperatorStates, AListWithNothingToRestoreIsEmpty) {  // OS-07
  EXPECT_THAT(store.list_state<int>("list").get(), IsEmpty());
}

TEST_F(OperatorStates, NullElementsAreRefusedAndNothingIsStored) {  // OS-08
  auto list = store.list_state<std::optional<int>>("list");
  list.add(1);
  EXPECT_THROW(list.add(std::nullopt), InvalidArgument);
  EXPECT_THROW(list.add_all({2, std::nullopt}), InvalidArgument);
  EXPECT_THROW(list.update({2, std::nullopt}), InvalidArgument);
  EXPECT_THAT(list.get(), ElementsAre(1));
}

TEST_F(OperatorStates, ASplitListIsNoUnionListAndNoOtherType) {  // OS-09
  (void)store.list_state<int>("list");
  EXPECT_THROW((void)store.union_list_state<int>("list"), IllegalState);
  EXPECT_THROW((void)store.list_state<double>("list"), IllegalState);
  EXPECT_THROW((void)store.broadcast_state(BroadcastStateDescriptor<int, int>{"list"}),
               IllegalState);
}

TEST_F(OperatorStates, AStateWithoutANameIsRefused) {
  EXPECT_THROW((void)store.union_list_state<int>(""), InvalidArgument);
  EXPECT_THROW((void)store.broadcast_state(BroadcastStateDescriptor<int, int>{}), InvalidArgument);
}

TEST_F(OperatorStates, ASnapshotIsACopy) {  // OS-10
  auto list = store.list_state<int>("list");
  auto limits = store.broadcast_state(BroadcastStateDescriptor<int, int>{"limits"});
  list.add(1);
  limits.put(1, 1);
  write(true);
  list.add(2);
  limits.put(2, 2);
  EXPECT_THAT(written(), ElementsAre(testing::Field(&StateSnapshot::rows, SizeIs(1)),
                                     testing::Field(&StateSnapshot::rows, SizeIs(1))));
}

TEST_F(OperatorStates, AnUnchangedListIsNotWrittenAgain) {
  auto list = store.list_state<int>("list");
  list.add(1);
  write(true);
  kept = MemorySnapshot{};
  write(false);
  EXPECT_THAT(written(), IsEmpty());
  list.clear();
  write(false);
  ASSERT_THAT(written(), SizeIs(1));
  EXPECT_THAT(written().front().rows, IsEmpty());
}

TEST_F(OperatorStates, AStateNobodyAskedForIsCarriedAlong) {  // CP-09
  store.add_restored({{"old", StateKind::kSplitList, "", "i32", false}, {{Datum{0}, Datum{7}}}});
  write(true);
  ASSERT_THAT(written(), SizeIs(1));
  EXPECT_THAT(written().front().rows, ElementsAre(Pair(Datum{0}, Datum{7})));
  EXPECT_THAT(store.list_state<int>("old").get(), ElementsAre(7));
}

TEST_F(OperatorStates, BroadcastStateTakesNullKeysAndValues) {  // BC-03
  const BroadcastStateDescriptor<std::optional<int>, std::optional<int>> descriptor{"nulls"};
  auto state = store.broadcast_state(descriptor);
  state.put(std::nullopt, 1);
  state.put(2, std::nullopt);
  write(true);
  OperatorStateStore again{"operator"};
  for (const auto& each : written()) again.add_restored(each);
  const auto restored = again.broadcast_state(descriptor);
  EXPECT_EQ(restored.get(std::nullopt), 1);
  EXPECT_TRUE(restored.contains(2));
  EXPECT_EQ(restored.get(2), std::nullopt);
}

TEST_F(OperatorStates, BroadcastChangesAreWrittenByKey) {
  auto state = store.broadcast_state(BroadcastStateDescriptor<std::string, int>{"limits"});
  state.put_all({{"a", 1}, {"b", 2}, {"c", 3}});
  write(true);
  state.remove("a");
  state.remove("unknown");
  state.put("b", 20);
  write(false);
  EXPECT_THAT(written().front().rows,
              ElementsAre(Pair(Datum{"b"}, Datum{20}), Pair(Datum{"c"}, Datum{3})));
  state.clear();
  state.put("d", 4);
  write(false);
  EXPECT_THAT(written().front().rows, ElementsAre(Pair(Datum{"d"}, Datum{4})));
}

TEST_F(OperatorStates, AReaderFindsWithoutCopyingInOrderOfTheKey) {  // BC-06
  auto state = store.broadcast_state(BroadcastStateDescriptor<int, std::string>{"names"});
  state.put(2, "two");
  state.put(1, "one");
  const ReadOnlyBroadcastState<int, std::string>& reader = state;
  EXPECT_EQ(*reader.find(1), "one");
  EXPECT_EQ(reader.find(3), nullptr);
  EXPECT_THAT(reader.entries(), ElementsAre(Pair(1, "one"), Pair(2, "two")));
}

// BC-05, BC-08: no way to write through what the main side gets.
template <class S>
concept CanPut = requires(S& state) {
  state.put(1, 1);
};
template <class S>
concept CanChangeEntries = requires(S& state) {
  state.entries().clear();
};
static_assert(CanPut<BroadcastState<int, int>>);
static_assert(!CanPut<ReadOnlyBroadcastState<int, int>>);
static_assert(!CanChangeEntries<ReadOnlyBroadcastState<int, int>>);
static_assert(!std::is_convertible_v<ReadOnlyBroadcastState<int, int>, BroadcastState<int, int>>);

}  // namespace
}  // namespace sluice
