// Once its keys are known, a job with states of plain numbers allocates nothing per event.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "pipeline/graph/stream.hpp"
#include "tests/support/counting_new.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

struct Level {
  std::string sensor;
  double metres{};
};

constexpr int kKeys = 100;
constexpr int kEvents = 10'000;

/// The sum of all that was emitted, so that nothing is optimised away.
double total = 0;

class Last final : public KeyedProcessFunction<std::string, Level, double> {
 public:
  explicit Last(std::optional<TtlConfig> ttl) : ttl_{ttl} {}
  void open(RuntimeContext& context) override {
    last_ = context.value_state<double>({.name = "last", .ttl = ttl_});
  }
  void process_element(const Level& level, Context&, Collector<double>& out) override {
    out.collect(level.metres - last_.value().value_or(0));
    last_.update(level.metres);
  }

 private:
  std::optional<TtlConfig> ttl_;
  ValueState<double> last_;
};

class Top final : public KeyedProcessFunction<std::string, Level, double> {
 public:
  explicit Top(std::optional<TtlConfig> ttl) : ttl_{ttl} {}
  void open(RuntimeContext& context) override {
    top_ = context.list_state<double>({.name = "top", .ttl = ttl_});
  }
  void process_element(const Level& level, Context&, Collector<double>& out) override {
    std::array<double, 4> best{};
    std::size_t count = 0;
    for (const double value : top_.get()) best[count++] = value;
    best[count++] = level.metres;
    std::sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>{});
    top_.update(std::span{best}.first(std::min<std::size_t>(count, 3)));
    out.collect(best[0]);
  }

 private:
  std::optional<TtlConfig> ttl_;
  ListState<double> top_;
};

struct Mean {
  using Input = double;
  using Accumulator = std::pair<double, std::int64_t>;
  using Result = double;
  Accumulator create_accumulator() const { return {}; }
  void add(double value, Accumulator& sum) const {
    sum.first += value;
    ++sum.second;
  }
  double get_result(const Accumulator& sum) const {
    return sum.first / static_cast<double>(sum.second);
  }
};

class Folded final : public KeyedProcessFunction<std::string, Level, double> {
 public:
  explicit Folded(std::optional<TtlConfig> ttl) : ttl_{ttl} {}
  void open(RuntimeContext& context) override {
    sum_ = context.reducing_state<double>({.name = "sum", .reduce = std::plus<>{}, .ttl = ttl_});
    mean_ = context.aggregating_state<Mean>({.name = "mean", .ttl = ttl_});
  }
  void process_element(const Level& level, Context&, Collector<double>& out) override {
    sum_.add(level.metres);
    mean_.add(level.metres);
    out.collect(*sum_.get() + *mean_.get());
  }

 private:
  std::optional<TtlConfig> ttl_;
  ReducingState<double> sum_;
  AggregatingState<double, double> mean_;
};

class Counts final : public KeyedProcessFunction<std::string, Level, double> {
 public:
  explicit Counts(std::optional<TtlConfig> ttl) : ttl_{ttl} {}
  void open(RuntimeContext& context) override {
    counts_ = context.map_state<int, std::int64_t>({.name = "counts", .ttl = ttl_});
  }
  void process_element(const Level& level, Context&, Collector<double>& out) override {
    const int bin = static_cast<int>(level.metres) % 8;
    counts_.put(bin, counts_.get(bin).value_or(0) + 1);
    for (const auto& [key, value] : counts_.entries()) out.collect(static_cast<double>(value));
  }

 private:
  std::optional<TtlConfig> ttl_;
  MapState<int, std::int64_t> counts_;
};

class Silence final : public KeyedProcessFunction<std::string, Level, double> {
 public:
  explicit Silence(std::optional<TtlConfig> ttl) : ttl_{ttl} {}
  void open(RuntimeContext& context) override {
    due_ = context.value_state<Timestamp>({.name = "due", .ttl = ttl_});
  }
  void process_element(const Level&, Context& context, Collector<double>&) override {
    auto& timers = context.timer_service();
    if (const auto due = due_.value()) timers.delete_processing_time_timer(*due);
    const Timestamp due = timers.current_processing_time() + 150;  // two visits later
    timers.register_processing_time_timer(due);
    due_.update(due);
  }
  void on_timer(Timestamp at, OnTimerContext&, Collector<double>& out) override {
    out.collect(static_cast<double>(at));
    due_.clear();
  }

 private:
  std::optional<TtlConfig> ttl_;
  ValueState<Timestamp> due_;
};

/// Allocations while `kEvents` events pass, after as many to get used to.
template <class Function>
std::uint64_t allocations_per_run(std::optional<TtlConfig> ttl) {
  Environment env;
  env.from_source<Level>("in")
      .key_by(&Level::sensor)
      .template process<Function>(ttl)
      .uid("function")
      .sink_to([](const double& value) { total += value; });
  const auto job = std::move(Job::start(env, {.track_changes = true})).value();
  const auto source = job->source<Level>("in");
  std::vector<Level> events;
  for (int i = 0; i < kEvents; ++i) {
    events.push_back(
        {"a-sensor-with-a-rather-long-name-" + std::to_string(i * 7 % kKeys), i % 977 / 10.0});
  }
  std::uint64_t before = 0;
  for (int round = 0; round < 2; ++round) {
    before = test::allocations();
    for (const auto& event : events) {
      job->advance_processing_time(job->processing_time() + 1);
      source.emit(event);
    }
  }
  return test::allocations() - before;
}

template <class Function>
class SteadyState : public testing::Test {};
using Functions = testing::Types<Last, Top, Folded, Counts>;
TYPED_TEST_SUITE(SteadyState, Functions);

TYPED_TEST(SteadyState, AllocatesNothing) {
  EXPECT_EQ(allocations_per_run<TypeParam>(std::nullopt), 0U);
}

TYPED_TEST(SteadyState, AllocatesNothingWithATimeToLive) {
  EXPECT_EQ(allocations_per_run<TypeParam>(TtlConfig{.ttl = 1h}), 0U);
}

TEST(Timers, AllocateForTidyingUpOnly) {
  // The heap is rebuilt when most of it is deleted timers: not with each event, nor each hundredth.
  EXPECT_LE(allocations_per_run<Silence>(std::nullopt), kEvents / 100U);
}

TEST(CountingNew, Counts) {
  const auto before = test::allocations();
  std::string long_text(1000, 'x');
  EXPECT_EQ(test::allocations(), before + 1);
  total += static_cast<double>(long_text.size());
}

}  // namespace
}  // namespace sluice
