// Bounded runs: from the first element to the last, over failures and restarts (RR-01, RR-02).
#include "pipeline/graph/runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/graph/stream.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

struct Item {
  std::string key;
  std::int64_t value{};
};

/// How often user code is still to fail, outside of any instance.
int failures_left = 0;

/// Sums by key; fails on the value 13 while failures are left.
class Sums final : public KeyedProcessFunction<std::string, Item, std::int64_t> {
 public:
  void open(RuntimeContext& context) override {
    attempt_ = context.task().attempt;
    sum_ = context.value_state<std::int64_t>({.name = "sum"});
  }
  void process_element(const Item& item, Context&, Collector<std::int64_t>& out) override {
    if (item.value == 13 && failures_left-- > 0) throw std::runtime_error{"13 is unlucky"};
    sum_.update(sum_.value().value_or(0) + item.value);
    out.collect(*sum_.value());
  }

 private:
  std::uint32_t attempt_{0};
  ValueState<std::int64_t> sum_;
};

class Runner : public testing::Test {
 protected:
  Runner() {
    environment_.from_collection<Item>("items", {{"a", 1}, {"a", 2}, {"a", 3}, {"a", 13}, {"a", 5}})
        .key_by(&Item::key)
        .process<Sums>()
        .uid("sums")
        .sink_to([this](const std::int64_t& sum) { sums_.push_back(sum); });
  }
  Environment environment_;
  std::vector<std::int64_t> sums_;
};

TEST_F(Runner, ReadsAllInputToTheEnd) {
  failures_left = 0;
  const auto report = run_job(environment_);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->elements, 5U);
  EXPECT_THAT(sums_, ElementsAre(1, 3, 6, 19, 24));
}

TEST_F(Runner, WithoutCheckpointsTheFirstFailureEndsTheJobWithOperatorKeyAndCause) {
  failures_left = 1;
  const auto report = run_job(environment_);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message(), HasSubstr("operator 'sums'"));
  EXPECT_THAT(report.error().message(), HasSubstr("\"a\""));
  EXPECT_THAT(report.error().message(), HasSubstr("13 is unlucky"));
}

TEST_F(Runner, WithoutCheckpointsARestartBeginsFromNothing) {
  failures_left = 1;
  RunnerOptions options;
  options.restart = fixed_delay_restart(1, 0ms);
  ASSERT_TRUE(run_job(environment_, options));
  EXPECT_THAT(sums_, ElementsAre(1, 3, 6, 1, 3, 6, 19, 24));
}

TEST_F(Runner, ARestartGoesOnFromTheLastSnapshotWithTheInputRewoundToIt) {
  failures_left = 1;
  RunnerOptions options;
  options.checkpoint_every = 2;
  const auto report = run_job(environment_, options);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->restarts, 1U);
  // 6 is emitted twice (CP-06); every element is in the sum exactly once.
  EXPECT_THAT(sums_, ElementsAre(1, 3, 6, 6, 19, 24));
}

TEST_F(Runner, AfterTheLastAttemptTheJobEndsWithTheError) {
  failures_left = 100;
  RunnerOptions options;
  options.checkpoint_every = 1;
  options.restart = fixed_delay_restart(3, 0ms);
  const auto report = run_job(environment_, options);
  ASSERT_FALSE(report);
  EXPECT_EQ(failures_left, 96) << "the first try and three more";
}

TEST(RestartStrategy, TheExponentialDelayGrowsToItsMaximumAndStartsAnewAfterAQuietTime) {
  const auto strategy = exponential_delay_restart(
      {.initial = 100ms, .multiplier = 2.0, .maximum = 300ms, .reset_after = 1000ms});
  EXPECT_EQ(strategy->on_failure(0), 100ms);
  EXPECT_EQ(strategy->on_failure(10), 200ms);
  EXPECT_EQ(strategy->on_failure(20), 300ms);
  EXPECT_EQ(strategy->on_failure(30), 300ms);
  EXPECT_EQ(strategy->on_failure(1030), 100ms);
}

TEST(RestartStrategy, FlinksDefaultsAreOurs) {
  const auto strategy = exponential_delay_restart();
  EXPECT_EQ(strategy->on_failure(0), 1000ms);
  EXPECT_EQ(strategy->on_failure(1), 1500ms);
}

TEST(RestartStrategy, JitterMovesTheDelayByItsShare) {
  const auto strategy = exponential_delay_restart({.random = [] { return 1.0; }});
  EXPECT_EQ(strategy->on_failure(0), 1100ms);
}

}  // namespace
}  // namespace sluice
