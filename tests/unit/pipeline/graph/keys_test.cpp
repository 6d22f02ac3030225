// What can be a key: beside texts and numbers, pairs, tuples and structs of them. All of them find
// their state again, also after a restore into more instances.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "pipeline/graph/stream.hpp"

namespace sluice {
namespace {

struct Gauge {
  std::string river;
  std::int64_t place{};
  friend bool operator==(const Gauge&, const Gauge&) = default;
};
SLUICE_FIELDS(Gauge, river, place)

struct Level {
  Gauge gauge;
  double level{};
};

std::string text_of(const Gauge& key) { return key.river + std::to_string(key.place); }
std::string text_of(const std::pair<std::string, std::int64_t>& key) {
  return key.first + std::to_string(key.second);
}
std::string text_of(const std::tuple<std::int64_t, std::string, bool>& key) {
  return std::get<1>(key) + std::to_string(std::get<0>(key));
}

/// Counts the elements of each key.
template <class K>
class Count final : public KeyedProcessFunction<K, Level, std::string> {
 public:
  using Base = KeyedProcessFunction<K, Level, std::string>;
  void open(RuntimeContext& context) override {
    count_ = context.value_state<std::int64_t>({.name = "count"});
  }
  void process_element(const Level&, typename Base::Context& context,
                       Collector<std::string>& out) override {
    count_.update(count_.value().value_or(0) + 1);
    out.collect(text_of(context.current_key()) + ":" + std::to_string(*count_.value()));
  }

 private:
  ValueState<std::int64_t> count_;
};

template <class K, class Projection>
std::vector<std::string> counted(Projection projection) {
  std::vector<std::string> seen;
  MemorySnapshot snapshot;
  const std::vector<Level> levels{
      {{"a", 1}, 0}, {{"a", 2}, 0}, {{"b", 1}, 0}, {{"a", 1}, 0}, {{"b", 1}, 0}};
  for (const std::uint32_t parallelism : {1U, 3U}) {
    Environment environment;
    environment.template from_source<Level>("in")
        .key_by(projection)
        .template process<Count<K>>()
        .uid("count")
        .set_parallelism(parallelism)
        .sink_to([&](const std::string& text) { seen.push_back(text); });
    auto job = Job::start(environment, {.restore = parallelism == 1 ? nullptr : &snapshot.job()});
    if (!job) return {job.error().message()};
    for (const auto& level : levels) (*job)->template emit<Level>("in", level);
    (*job)->snapshot(snapshot, true, 1);
  }
  return seen;
}

const testing::Matcher<std::vector<std::string>> kEachKeyCountedOn = testing::ElementsAre(
    "a1:1", "a2:1", "b1:1", "a1:2", "b1:2", "a1:3", "a2:2", "b1:3", "a1:4", "b1:4");

TEST(Keys, MayBeAStructWithFields) {
  EXPECT_THAT(counted<Gauge>(&Level::gauge), kEachKeyCountedOn);
}

TEST(Keys, MayBeAPairOrATuple) {
  EXPECT_THAT((counted<std::pair<std::string, std::int64_t>>([](const Level& level) {
                return std::pair{level.gauge.river, level.gauge.place};
              })),
              kEachKeyCountedOn);
  EXPECT_THAT((counted<std::tuple<std::int64_t, std::string, bool>>([](const Level& level) {
                return std::tuple{level.gauge.place, level.gauge.river, true};
              })),
              kEachKeyCountedOn);
}

TEST(Keys, OfSeveralPartsHaveHashesThatDependOnEachAndOnTheirOrder) {
  using Pair = std::pair<std::int64_t, std::int64_t>;
  const detail::KeyHash<Pair> hash;
  EXPECT_NE(hash({1, 2}), hash({2, 1}));
  EXPECT_NE(hash({0, 0}), hash({0, 1}));
  EXPECT_NE(hash({0, 0}), hash({1, 0}));
}

class CountsLevels final : public KeyedProcessFunction<double, Level, int> {
 public:
  void open(RuntimeContext& context) override {
    seen_ = context.map_state<double, bool>({.name = "seen"});
  }
  void process_element(const Level& level, Context&, Collector<int>&) override {
    seen_.put(level.gauge.river.empty() ? std::numeric_limits<double>::quiet_NaN() : 0.0, true);
  }

 private:
  MapState<double, bool> seen_;
};

TEST(Keys, AreNeverNaNWhichWouldNotBeFoundAgain) {
  Environment environment;
  environment.from_source<Level>("in").key_by(&Level::level).process<CountsLevels>().uid("x");
  auto job = Job::start(environment, {});
  ASSERT_TRUE(job) << job.error().message();
  EXPECT_NO_THROW((*job)->emit<Level>("in", {{"a", 1}, 0.5}));
  const auto fault = [&](const Level& level) -> std::string {
    try {
      (*job)->emit<Level>("in", level);
    } catch (const OperatorFailure& failure) {
      return failure.what();
    }
    return "";
  };
  EXPECT_THAT(fault({{"a", 1}, std::nan("")}), testing::HasSubstr("a key must not be NaN"));
  EXPECT_THAT(fault({{"", 1}, 0.5}), testing::HasSubstr("a key of a map state must not be NaN"));
}

}  // namespace
}  // namespace sluice
