// A program of one's own around the runtime, as docs/from-flink.md shows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/graph/stream.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

struct Ship {
  std::string lock;
  Timestamp at{};
};

/// Counts the ships of each lock, and says how many there were when none has come for an hour.
class Ships final : public KeyedProcessFunction<std::string, Ship, std::string> {
 public:
  void open(RuntimeContext& context) override {
    count_ = context.value_state<std::int64_t>({.name = "count"});
    last_ = context.value_state<Timestamp>({.name = "last"});
  }
  void process_element(const Ship& ship, Context& context, Collector<std::string>&) override {
    count_.update(count_.value().value_or(0) + 1);
    last_.update(ship.at);
    context.timer_service().register_event_time_timer(ship.at + 3'600'000);
  }
  void on_timer(Timestamp at, OnTimerContext& context, Collector<std::string>& out) override {
    if (at != *last_.value() + 3'600'000) return;
    out.collect(context.current_key() + ": " + std::to_string(*count_.value()));
    count_.clear();
  }

 private:
  ValueState<std::int64_t> count_;
  ValueState<Timestamp> last_;
};

void build(Environment& environment, std::function<void(const std::string&)> print) {
  const auto strategy =
      WatermarkStrategy<Ship>::for_bounded_out_of_orderness(5s).with_timestamp_assigner(
          [](const Ship& ship, Timestamp) { return ship.at; });
  environment.from_source<Ship>("ships")
      .assign_timestamps_and_watermarks(strategy)
      .key_by(&Ship::lock)
      .process<Ships>()
      .uid("ships-of-a-lock")
      .sink_to(std::move(print));
}

/// One life of the program: goes on from `snapshot`, and leaves a new one there.
Status run(const Environment& environment, MemorySnapshot& snapshot, const std::vector<Ship>& ships,
           Timestamp now) {
  auto started = Job::start(environment, {.restore = &snapshot.job(), .start_time = now});
  if (!started) return started.error();  // no uid, state that does not fit, open() threw, …
  Job& job = **started;
  for (const Ship& ship : ships) {
    job.emit("ships", ship);
    job.advance_processing_time(now += 200);  // the clock is yours: timers, watermarks
  }
  job.snapshot(snapshot, true, 1);  // all of it; changes only with JobOptions::track_changes
  return {};
}

TEST(OwnProgram, GoesOnFromItsSnapshot) {
  std::vector<std::string> said;
  Environment environment;
  build(environment, [&](const std::string& line) { said.push_back(line); });
  MemorySnapshot snapshot;
  ASSERT_TRUE(run(environment, snapshot, {{"east", 1000}, {"west", 2000}, {"east", 3000}}, 0));
  ASSERT_TRUE(run(environment, snapshot, {{"east", 4000}, {"north", 3'610'000}}, 1000));
  EXPECT_THAT(said, testing::ElementsAre("west: 1", "east: 3"));
}

}  // namespace
}  // namespace sluice
