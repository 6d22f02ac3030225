// State that new code finds: what fits, and what is refused with a sentence (SE-01..04, TTL-20).
#include "pipeline/state/operator_state.hpp"
#include "tests/unit/pipeline/state/keyed_state_fixture.hpp"

namespace sluice {

namespace before {
namespace {
struct Mean {
  std::int64_t count{};
  double mean{};
};
SLUICE_FIELDS(Mean, count, mean)
struct Peak {
  double level{};
};
SLUICE_FIELDS(Peak, level)
struct Place {
  int id{};
  friend bool operator==(const Place&, const Place&) = default;
};
SLUICE_FIELDS(Place, id)
}  // namespace
}  // namespace before

namespace after {
namespace {
struct Mean {  // a field gone, a field new
  double mean{};
  std::string unit{"m"};
};
SLUICE_FIELDS(Mean, mean, unit)
struct Peak {  // the same field, of another type
  std::int64_t level{};
};
SLUICE_FIELDS(Peak, level)
struct Summit {  // another name
  double level{};
};
SLUICE_FIELDS(Summit, level)
struct Place {  // as a value it might have a new field, but not as a key
  int id{};
  int floor{};
  friend bool operator==(const Place&, const Place&) = default;
};
SLUICE_FIELDS(Place, id, floor)
}  // namespace
}  // namespace after
}  // namespace sluice

template <>
struct std::hash<sluice::before::Place> {
  std::size_t operator()(const sluice::before::Place& p) const { return std::hash<int>{}(p.id); }
};
template <>
struct std::hash<sluice::after::Place> {
  std::size_t operator()(const sluice::after::Place& p) const { return std::hash<int>{}(p.id); }
};

namespace sluice {

namespace {

using namespace std::chrono_literals;
using test::KeyedInstance;
using test::thrown;
using testing::AllOf;
using testing::HasSubstr;

/// What claiming `now` says to a state that was stored by `before`, filled by `fill`.
template <class Before, class Fill, class Now>
std::string refusal(const Before& before, Fill fill, const Now& now) {
  KeyedInstance old;
  auto state = old.backend.state(before);
  old.select("a");
  fill(state);
  KeyedInstance fresh;
  fresh.restore(old.snapshot());
  return thrown<StateMigrationError>([&] { (void)fresh.backend.state(now); });
}

TEST(Evolution, AddedFieldsStartWithTheirDefaultAndRemovedOnesAreForgotten) {  // SE-02
  KeyedInstance old;
  auto state = old.backend.state(ValueStateDescriptor<before::Mean>{.name = "mean"});
  old.select("a");
  state.update({3, 4.5});
  KeyedInstance fresh;
  fresh.restore(old.snapshot());
  auto evolved = fresh.backend.state(ValueStateDescriptor<after::Mean>{.name = "mean"});
  fresh.select("a");
  EXPECT_EQ(evolved.value()->mean, 4.5);
  EXPECT_EQ(evolved.value()->unit, "m");
}

TEST(Evolution, FieldsEvolveInsideOfListsAndMapsToo) {
  KeyedInstance old;
  auto list = old.backend.state(ListStateDescriptor<before::Mean>{.name = "list"});
  auto map = old.backend.state(MapStateDescriptor<std::string, before::Mean>{.name = "map"});
  old.select("a");
  list.add({1, 2.0});
  map.put("k", {1, 3.0});
  KeyedInstance fresh;
  fresh.restore(old.snapshot());
  auto list_now = fresh.backend.state(ListStateDescriptor<after::Mean>{.name = "list"});
  auto map_now = fresh.backend.state(MapStateDescriptor<std::string, after::Mean>{.name = "map"});
  fresh.select("a");
  EXPECT_EQ(list_now.get()[0].mean, 2.0);
  EXPECT_EQ(map_now.get("k")->unit, "m");
}

TEST(Evolution, AChangedTypeIsRefusedNamingUidStateBothTypesAndTheCure) {  // SE-01, SE-02
  const auto text = refusal(
      ValueStateDescriptor<double>{.name = "last"}, [](auto& s) { s.update(1.0); },
      ValueStateDescriptor<int>{.name = "last"});
  EXPECT_THAT(text, AllOf(HasSubstr("operator 'operator'"), HasSubstr("state 'last'"),
                          HasSubstr("f64"), HasSubstr("i32"), HasSubstr("another name")));
}

TEST(Evolution, AFieldOfAnotherTypeIsRefusedNamingIt) {
  EXPECT_THAT(
      refusal(
          ValueStateDescriptor<before::Peak>{.name = "peak"}, [](auto& s) { s.update({1.0}); },
          ValueStateDescriptor<after::Peak>{.name = "peak"}),
      AllOf(HasSubstr("field 'level'"), HasSubstr("f64"), HasSubstr("i64")));
}

TEST(Evolution, ARenamedStructIsRefusedNamingBoth) {
  EXPECT_THAT(
      refusal(
          ValueStateDescriptor<before::Peak>{.name = "peak"}, [](auto& s) { s.update({1.0}); },
          ValueStateDescriptor<after::Summit>{.name = "peak"}),
      AllOf(HasSubstr("struct Peak"), HasSubstr("struct Summit"), HasSubstr("old definition")));
}

TEST(Evolution, AnotherKindOfStateIsRefused) {
  EXPECT_THAT(refusal(
                  ValueStateDescriptor<int>{.name = "x"}, [](auto& s) { s.update(1); },
                  ListStateDescriptor<int>{.name = "x"}),
              AllOf(HasSubstr("was a value state"), HasSubstr("is a list state")));
}

TEST(Evolution, TurningATimeToLiveOnOrOffIsRefused) {  // TTL-20
  const ValueStateDescriptor<int> without{.name = "x"};
  const ValueStateDescriptor<int> with{.name = "x", .ttl = TtlConfig{.ttl = 1s}};
  const auto fill = [](auto& s) { s.update(1); };
  EXPECT_THAT(refusal(without, fill, with), HasSubstr("stored without a time-to-live"));
  EXPECT_THAT(refusal(with, fill, without), HasSubstr("stored with a time-to-live"));
}

TEST(Evolution, AnotherTypeOfKeyIsRefused) {  // SE-03
  KeyedInstance old;
  auto state = old.backend.state(ValueStateDescriptor<int>{.name = "x"});
  old.select("a");
  state.update(1);
  Timestamp now = 0;
  detail::TypedKeySpace<std::int64_t> keys;
  detail::KeyedBackend backend{"operator", keys, now, {}};
  const auto stored = old.snapshot();
  for (const auto& each : stored.states) backend.add_restored(each);
  EXPECT_THAT(thrown<StateMigrationError>(
                  [&] { (void)backend.state(ValueStateDescriptor<int>{.name = "x"}); }),
              AllOf(HasSubstr("key"), HasSubstr("text"), HasSubstr("i64")));
}

TEST(Evolution, AKeyDoesNotEvolve) {  // SE-03
  const ValueStateDescriptor<int> descriptor{.name = "x"};
  Timestamp now = 0;
  detail::TypedKeySpace<before::Place> old_keys;
  detail::KeyedBackend old{"operator", old_keys, now, {}};
  auto state = old.state(descriptor);
  old_keys.select({7});
  state.update(1);
  MemorySnapshot written;
  written.begin_operator({"operator", 0, 1, 128});
  old.write(written, true);

  detail::TypedKeySpace<after::Place> keys;
  detail::KeyedBackend backend{"operator", keys, now, {}};
  for (const auto& each : written.job().operators.front().states) backend.add_restored(each);
  EXPECT_THAT(thrown<StateMigrationError>([&] { (void)backend.state(descriptor); }),
              AllOf(HasSubstr("keys were stored as struct Place{id:i32} but are "),
                    HasSubstr("struct Place{id:i32,floor:i32} now"), HasSubstr("another name")));
}

TEST(Evolution, DamagedRowsAreRefusedToo) {
  KeyedInstance fresh;
  StateSnapshot stored{{"x", StateKind::kValue, "text", "i32", false}, {{Datum{"a"}, Datum{"1"}}}};
  fresh.backend.add_restored(stored);
  EXPECT_THAT(thrown<StateMigrationError>(
                  [&] { (void)fresh.backend.state(ValueStateDescriptor<int>{.name = "x"}); }),
              HasSubstr("damaged"));
}

TEST(Evolution, OperatorAndBroadcastStateAreRefusedLikewise) {  // SE-04
  MemorySnapshot written;
  written.begin_operator({"operator", 0, 1, 128});
  OperatorStateStore old{"operator"};
  auto list = old.list_state<int>("list");
  list.add(1);
  old.broadcast_state(BroadcastStateDescriptor<std::string, int>{"limits"}).put("a", 1);
  old.write(written, true);

  OperatorStateStore fresh{"operator"};
  for (const auto& state : written.job().operators.front().states) fresh.add_restored(state);
  EXPECT_THAT(thrown<StateMigrationError>([&] { (void)fresh.list_state<double>("list"); }),
              AllOf(HasSubstr("'operator'"), HasSubstr("'list'"), HasSubstr("i32"),
                    HasSubstr("f64"), HasSubstr("another name")));
  EXPECT_THROW((void)fresh.union_list_state<int>("list"), StateMigrationError);
  EXPECT_THAT(thrown<StateMigrationError>([&] {
                (void)fresh.broadcast_state(BroadcastStateDescriptor<int, int>{"limits"});
              }),
              AllOf(HasSubstr("by text"), HasSubstr("by i32")));
  EXPECT_THROW((void)fresh.broadcast_state(BroadcastStateDescriptor<std::string, double>{"limits"}),
               StateMigrationError);
}

}  // namespace
}  // namespace sluice
