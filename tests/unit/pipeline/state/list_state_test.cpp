// ListState and its view: LS-01..08; SmallList, which keeps the elements.
#include "pipeline/state/list_state.hpp"

#include <array>

#include "tests/unit/pipeline/state/keyed_state_fixture.hpp"

namespace sluice {
namespace {

using test::KeyedInstance;
using testing::ElementsAre;
using testing::IsEmpty;

class ListStates : public testing::Test, protected KeyedInstance {
 protected:
  ListStates() { select("a"); }
  ListState<int> numbers{backend.state(ListStateDescriptor<int>{.name = "numbers"})};
  ListState<std::optional<int>> nullable{
      backend.state(ListStateDescriptor<std::optional<int>>{.name = "nullable"})};
};

TEST_F(ListStates, AbsentIsEmpty) {  // LS-01
  EXPECT_TRUE(numbers.get().empty());
  EXPECT_THAT(numbers.get().to_vector(), IsEmpty());
}

TEST_F(ListStates, KeepOrderAndDuplicates) {  // LS-06
  for (const int n : {3, 1, 3, 3}) numbers.add(n);
  EXPECT_THAT(numbers.get().to_vector(), ElementsAre(3, 1, 3, 3));
}

TEST_F(ListStates, UpdateCopiesWhatItIsGiven) {  // LS-06
  std::vector mine{1, 2};
  numbers.update(mine);
  mine[0] = 9;
  EXPECT_THAT(numbers.get().to_vector(), ElementsAre(1, 2));
}

TEST_F(ListStates, AddingNothingLeavesNoEntryAndUpdatingWithNothingClears) {  // LS-03, LS-05, KS-10
  numbers.add_all({});
  EXPECT_EQ(backend.entries(), 0U);
  numbers.add(1);
  numbers.update({});
  EXPECT_EQ(backend.entries(), 0U);
}

TEST_F(ListStates, NullElementsAreRefusedAndNothingIsStored) {  // LS-02, LS-04, LS-07
  nullable.add(1);
  const std::vector<std::optional<int>> with_null{2, std::nullopt, 3};
  EXPECT_THROW(nullable.add(std::nullopt), InvalidArgument);
  EXPECT_THROW(nullable.add_all(with_null), InvalidArgument);
  EXPECT_THROW(nullable.update(with_null), InvalidArgument);
  EXPECT_THAT(nullable.get().to_vector(), ElementsAre(1));
}

TEST_F(ListStates, AViewShowsLaterAdditions) {  // LS-08
  numbers.add(1);
  const auto view = numbers.get();
  numbers.add(2);
  EXPECT_EQ(view.size(), 2U);
  EXPECT_EQ(view[1], 2);
}

TEST_F(ListStates, AddingUnderARunningIterationThrows) {  // LS-08
  numbers.add_all(std::vector{1, 2});
  const auto view = numbers.get();
  auto it = view.begin();
  EXPECT_EQ(*it, 1);
  numbers.add(3);
  EXPECT_THROW(++it, ConcurrentModification);
}

TEST_F(ListStates, ReplacingUnderARunningIterationEndsIt) {  // LS-08
  numbers.add_all(std::vector{1, 2, 3});
  const auto view = numbers.get();
  int seen = 0;
  for (const int n : view) {
    ++seen;
    EXPECT_EQ(n, 1);
    numbers.update(std::vector{7, 8, 9, 10});
  }
  EXPECT_EQ(seen, 1);
  EXPECT_THAT(numbers.get().to_vector(), ElementsAre(7, 8, 9, 10));
}

TEST_F(ListStates, ClearingUnderARunningIterationEndsIt) {
  numbers.add_all(std::vector{1, 2, 3});
  const auto view = numbers.get();
  int seen = 0;
  for ([[maybe_unused]] const int n : view) {
    ++seen;
    numbers.clear();
  }
  EXPECT_EQ(seen, 1);
  EXPECT_TRUE(view.empty());
}

TEST_F(ListStates, MayBeOfTruthValues) {
  const ListStateDescriptor<bool> descriptor{.name = "flags",
                                             .ttl = TtlConfig{.ttl = Duration{10}}};
  auto flags = backend.state(descriptor);
  flags.add_all(std::array{true, false, true});
  now = 5;
  flags.add(true);
  EXPECT_THAT(flags.get().to_vector(), ElementsAre(true, false, true, true));
  KeyedInstance again;
  again.restore(snapshot());
  auto restored = again.backend.state(descriptor);
  again.select("a");
  again.now = 10;
  EXPECT_THAT(restored.get().to_vector(), ElementsAre(true));
}

TEST_F(ListStates, AnElementOfTheListItselfMayBeAdded) {
  numbers.add(5);
  for (int i = 0; i < 20; ++i) {
    const auto view = numbers.get();
    numbers.add(view[0]);
  }
  EXPECT_EQ(numbers.get().to_vector(), std::vector<int>(21, 5));
}

template <class T>
class SmallLists : public testing::Test {};
using Elements = testing::Types<std::int8_t, std::int16_t, std::int32_t, double, std::string, bool>;
TYPED_TEST_SUITE(SmallLists, Elements);

template <class T>
T element(int i) {
  if constexpr (std::is_same_v<T, std::string>) {
    return std::string(40, static_cast<char>('a' + i % 26));
  } else if constexpr (std::is_same_v<T, bool>) {
    return i % 2 == 0;
  } else {
    return static_cast<T>(i);
  }
}

TYPED_TEST(SmallLists, AnswerAsAVectorDoes) {
  detail::SmallList<TypeParam> list;
  std::vector<TypeParam> model;
  for (int i = 0; i < 100; ++i) {
    list.push_back(element<TypeParam>(i));
    model.push_back(element<TypeParam>(i));
    ASSERT_EQ(list.size(), model.size());
    for (std::size_t at = 0; at < model.size(); ++at) ASSERT_EQ(list[at], model[at]);
  }
}

TYPED_TEST(SmallLists, AreCopiedMovedAndReplacedAtAnySize) {
  for (const int size : {0, 1, 3, 4, 30}) {
    detail::SmallList<TypeParam> list;
    for (int i = 0; i < size; ++i) list.push_back(element<TypeParam>(i));
    auto copy = list;
    list.push_back(element<TypeParam>(50));
    EXPECT_EQ(copy.size(), static_cast<std::size_t>(size)) << "a copy is on its own";
    auto moved = std::move(list);
    ASSERT_EQ(moved.size(), static_cast<std::size_t>(size) + 1);
    EXPECT_EQ(moved[moved.size() - 1], element<TypeParam>(50));
    moved = copy;
    ASSERT_EQ(moved.size(), copy.size());
    copy = std::move(moved);
    for (std::size_t at = 0; at < copy.size(); ++at) {
      EXPECT_EQ(copy[at], element<TypeParam>(static_cast<int>(at)));
    }
    copy.clear();
    EXPECT_EQ(copy.size(), 0U);
  }
}

}  // namespace
}  // namespace sluice
