// ValueState, ReducingState, AggregatingState (VS-*, RS-*, AS-*) and what all keyed states share.
#include "pipeline/state/value_state.hpp"

#include "pipeline/state/operator_state.hpp"
#include "tests/unit/pipeline/state/keyed_state_fixture.hpp"

namespace sluice {
namespace {

using test::KeyedInstance;
using test::thrown;
using testing::HasSubstr;

class KeyedState : public testing::Test, protected KeyedInstance {};

TEST_F(KeyedState, IsOfItsKeyAlone) {  // KS-01
  auto state = backend.state(ValueStateDescriptor<int>{.name = "last"});
  select("a");
  state.update(1);
  select("b");
  EXPECT_EQ(state.value(), std::nullopt);  // VS-01
  state.update(2);
  select("a");
  EXPECT_EQ(state.value(), 1);
}

TEST_F(KeyedState, GivesValuesThatAreNotTheStateItself) {  // KS-09
  auto state = backend.state(ValueStateDescriptor<std::vector<int>>{.name = "levels"});
  select("a");
  state.update({1, 2});
  auto mine = *state.value();
  mine.push_back(3);
  EXPECT_EQ(state.value()->size(), 2U);
}

TEST_F(KeyedState, ASecondDescriptorOfTheNameGetsTheFirstState) {  // KS-06
  auto first = backend.state(ValueStateDescriptor<int>{.name = "last", .default_value = 5});
  auto second = backend.state(ValueStateDescriptor<int>{.name = "last", .default_value = 9});
  select("a");
  EXPECT_EQ(second.value(), 5) << "its own default is ignored";
  second.update(1);
  EXPECT_EQ(first.value(), 1);
}

template <class Handle, class... Use>
void expect_refused(Handle handle, Use... use) {
  for (const std::string& error : {thrown<IllegalState>([&] { use(handle); })...}) {
    EXPECT_THAT(error, HasSubstr("get it in open()"));
  }
}

TEST_F(KeyedState, AHandleThatNoContextGaveIsAnErrorAtEachUse) {
  const auto clear = [](auto& state) { state.clear(); };
  const auto get = [](auto& state) { (void)state.get(); };
  const auto add = [](auto& state) { state.add(1); };
  expect_refused(
      ValueState<int>{}, [](auto& state) { (void)state.value(); },
      [](auto& state) { state.update(1); }, clear);
  expect_refused(
      ListState<int>{}, get, add, [](auto& state) { state.update(std::vector{1}); }, clear);
  expect_refused(
      MapState<int, int>{}, [](auto& state) { (void)state.get(1); },
      [](auto& state) { state.put(1, 1); }, [](auto& state) { state.remove(1); },
      [](auto& state) { (void)state.is_empty(); }, [](auto& state) { (void)state.entries(); },
      [](auto& state) { (void)state.cursor(); }, clear);
  expect_refused(ReducingState<int>{}, get, add, clear);
  expect_refused(AggregatingState<int, double>{}, get, add, clear);
  expect_refused(OperatorListState<int>{}, get, add, clear);
}

TEST_F(KeyedState, ARefusedDescriptorLeavesWhatWasRestoredForTheRightOne) {  // TTL-20, CP-09
  auto state = backend.state(ValueStateDescriptor<int>{.name = "last"});
  select("a");
  state.update(1);
  KeyedInstance again;
  again.restore(snapshot());
  const TtlConfig ttl{.ttl = std::chrono::milliseconds{10}};
  EXPECT_THROW((void)again.backend.state(ValueStateDescriptor<int>{.name = "last", .ttl = ttl}),
               StateMigrationError);
  again.backend.keep_unclaimed();
  EXPECT_EQ(again.backend.entries(), 1U);
  auto right = again.backend.state(ValueStateDescriptor<int>{.name = "last"});
  again.select("a");
  EXPECT_EQ(right.value(), 1);
}

TEST_F(KeyedState, ADescriptorOfAnotherKindOrTypeIsRefusedWithTheCure) {  // KS-06
  (void)backend.state(ValueStateDescriptor<int>{.name = "last"});
  const auto kind = thrown<InvalidArgument>(
      [&] { (void)backend.state(ListStateDescriptor<int>{.name = "last"}); });
  EXPECT_THAT(kind, HasSubstr("'operator'"));
  EXPECT_THAT(kind, HasSubstr("'last'"));
  EXPECT_THAT(kind, HasSubstr("another name"));
  EXPECT_THROW((void)backend.state(ValueStateDescriptor<double>{.name = "last"}), InvalidArgument);
}

TEST_F(KeyedState, ADescriptorWithoutANameOrAFunctionIsRefused) {
  EXPECT_THAT(thrown<InvalidArgument>([&] { (void)backend.state(ListStateDescriptor<int>{}); }),
              HasSubstr("operator 'operator': a state has no name: give its descriptor one"));
  EXPECT_THAT(thrown<InvalidArgument>([&] {
                (void)backend.state(ReducingStateDescriptor<int>{.name = "sum", .reduce = {}});
              }),
              HasSubstr("'sum' has no function"));
}

TEST_F(KeyedState, UpdatingWithNullClears) {  // VS-02, KS-10
  auto state = backend.state(ValueStateDescriptor<std::optional<int>>{.name = "last"});
  select("a");
  state.clear();  // VS-03
  state.update(4);
  state.update(std::nullopt);
  EXPECT_EQ(state.value(), std::nullopt);
  EXPECT_EQ(backend.entries(), 0U);
}

TEST_F(KeyedState, ADefaultIsReadAndNotStored) {  // VS-04
  auto state = backend.state(ValueStateDescriptor<int>{.name = "last", .default_value = 7});
  select("a");
  EXPECT_EQ(state.value(), 7);
  EXPECT_EQ(backend.entries(), 0U);
  state.update(1);
  state.clear();
  EXPECT_EQ(state.value(), 7);
}

TEST_F(KeyedState, AReducingStateTakesTheFirstValueAndFoldsTheOthersInOrder) {  // RS-01, RS-02
  auto state = backend.state(ReducingStateDescriptor<std::string>{
      .name = "joined",
      .reduce = [](const auto& stored, const auto& added) { return stored + added; }});
  select("a");
  EXPECT_EQ(state.get(), std::nullopt);
  for (const char* part : {"x", "y", "z"}) state.add(part);
  EXPECT_EQ(state.get(), "xyz");
}

TEST_F(KeyedState, AReducingStateNeedsItsFunction) {
  const ReducingStateDescriptor<int> without{.name = "sum", .reduce = {}};
  EXPECT_THAT(thrown<InvalidArgument>([&] { (void)backend.state(without); }), HasSubstr("'sum'"));
}

TEST_F(KeyedState, AThrowingReduceLeavesTheOldValue) {  // AS-05
  auto state =
      backend.state(ReducingStateDescriptor<int>{.name = "sum", .reduce = [](int a, int b) {
                                                   if (b < 0) throw std::runtime_error{"negative"};
                                                   return a + b;
                                                 }});
  select("a");
  state.add(1);
  EXPECT_THROW(state.add(-1), std::runtime_error);
  EXPECT_EQ(state.get(), 1);
}

TEST_F(KeyedState, AddingNullClearsAReducingState) {  // RS-03
  auto state = backend.state(ReducingStateDescriptor<std::optional<int>>{
      .name = "sum", .reduce = [](auto a, auto b) { return std::optional{*a + *b}; }});
  select("a");
  state.add(1);
  state.add(std::nullopt);
  EXPECT_EQ(state.get(), std::nullopt);
  EXPECT_EQ(backend.entries(), 0U);
}

/// A mean that refuses negative values.
struct Mean {
  using Input = std::optional<double>;
  using Accumulator = std::pair<double, std::int64_t>;
  using Result = double;
  Accumulator create_accumulator() const { return {0, 0}; }
  void add(const Input& value, Accumulator& sum) const {
    sum.first += *value;
    if (*value < 0) throw std::runtime_error{"negative"};
    ++sum.second;
  }
  double get_result(const Accumulator& sum) const {
    return sum.first / static_cast<double>(sum.second);
  }
};

TEST_F(KeyedState, AnAggregatingStateKeepsTheAccumulator) {  // AS-01, AS-02, AS-03
  auto state = backend.state(AggregatingStateDescriptor<Mean>{.name = "mean"});
  select("a");
  EXPECT_EQ(state.get(), std::nullopt) << "and not the mean of nothing";
  state.add(1.0);
  state.add(4.0);
  EXPECT_EQ(state.get(), 2.5);
  EXPECT_EQ(snapshot().states.front().rows.front().second, (Datum::List{Datum{5.0}, Datum{2}}));
  state.add(std::nullopt);
  EXPECT_EQ(state.get(), std::nullopt);
}

TEST_F(KeyedState, AThrowingAggregateLeavesTheOldAccumulator) {  // AS-05
  auto state = backend.state(AggregatingStateDescriptor<Mean>{.name = "mean"});
  select("a");
  state.add(2.0);
  EXPECT_THROW(state.add(-1.0), std::runtime_error);
  EXPECT_EQ(state.get(), 2.0);
  select("b");
  EXPECT_THROW(state.add(-1.0), std::runtime_error);
  EXPECT_EQ(state.get(), std::nullopt);
}

TEST_F(KeyedState, AllKindsComeBackFromASnapshot) {  // CP-01
  const AggregatingStateDescriptor<Mean> mean{.name = "mean"};
  const ReducingStateDescriptor<int> sum{.name = "sum", .reduce = std::plus<>{}};
  const ValueStateDescriptor<std::string> last{.name = "last"};
  const ListStateDescriptor<int> list{.name = "list"};
  const MapStateDescriptor<std::string, int> map{.name = "map"};
  select("a");
  backend.state(mean).add(3.0);
  backend.state(sum).add(4);
  backend.state(last).update("l");
  backend.state(list).update(std::vector{3, 1, 2});
  backend.state(map).put("k", 5);

  KeyedInstance again;
  again.restore(snapshot());
  // Already before a descriptor claims them they are carried along (CP-09).
  EXPECT_EQ(again.snapshot().states.size(), 5U);
  auto mean_again = again.backend.state(mean);
  auto sum_again = again.backend.state(sum);
  auto last_again = again.backend.state(last);
  auto list_again = again.backend.state(list);
  auto map_again = again.backend.state(map);
  again.select("a");
  EXPECT_EQ(mean_again.get(), 3.0);
  EXPECT_EQ(sum_again.get(), 4);
  EXPECT_EQ(last_again.value(), "l");
  EXPECT_EQ(list_again.get().to_vector(), (std::vector{3, 1, 2}));
  EXPECT_EQ(map_again.get("k"), 5);
}

}  // namespace
}  // namespace sluice
