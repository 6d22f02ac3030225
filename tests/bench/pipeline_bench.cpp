// Delta, top three and mean in one operator, against a loop over a hash map.
#include <cmath>
#include <stdexcept>

#include "tests/bench/benchmarks.hpp"
#include "tests/bench/heap.hpp"
#include "tests/bench/level_summary.hpp"
#include "tests/bench/own_process.hpp"
#include "tests/support/counting_new.hpp"

namespace sluice::bench {

namespace {

constexpr std::size_t kKeyText = 13;  // "sensor-000123"

struct ByHand {
  LevelSummaryByHand loop;
  double total{0};
  void run(const std::vector<Event>& events) {
    for (const Event& event : events) {
      const Summary s = loop.process(event);
      total += s.delta + s.third + s.mean;
    }
  }
};

double per(std::size_t amount, std::size_t keys) {
  return static_cast<double>(amount) / static_cast<double>(keys);
}

void with_keys(std::size_t keys, const Effort& effort, Table& table) {
  const auto first = one_of_each(keys);
  const auto events = random_events(effort.events, keys);
  const std::string name = "delta + top 3 + mean, " + std::to_string(keys) + " keys";

  const std::size_t heap0 = heap_bytes();
  ByHand hand;
  hand.run(first);
  const std::size_t heap1 = heap_bytes();
  LevelSummaryJob job;
  job.run(first);
  const std::size_t heap2 = heap_bytes();

  // Three rounds of everything first, so that each list is as long as it gets.
  for (int i = 0; i < 3; ++i) {
    hand.run(first);
    job.run(first);
  }
  const auto result = compare(
      effort.repetitions, [&] { hand.run(events); }, [&] { job.run(events); });
  if (std::abs(hand.total - job.total()) > 1e-9 * std::abs(hand.total)) {
    throw std::runtime_error("the loop and the job do not agree");
  }
  table.print({.figure = name,
               .ours = nanoseconds(result.ours, events.size()),
               .baseline = nanoseconds(result.baseline, events.size()),
               .ratio = result.ratio,
               .goal = Goal{0.6}});

  const std::uint64_t before = test::allocations();
  job.run(events);
  const double made = per(test::allocations() - before, events.size());
  table.print({.figure = "  allocations per event",
               .ours = number(made, 3),
               .goal = Goal{0, false},
               .measured = made});
  const double beyond = per(heap2 - heap1, keys) - static_cast<double>(kKeyText);
  table.print({.figure = "  bytes per key beyond its text",
               .ours = number(beyond, 0),
               .baseline = number(per(heap1 - heap0, keys) - static_cast<double>(kKeyText), 0),
               // A page of each column is there for the first key already.
               .goal = keys >= 10'000 ? std::optional{Goal{200, false}} : std::nullopt,
               .measured = beyond});
}

}  // namespace

void pipeline(const Effort& effort, Table& table) {
  table.section("Pipeline: one keyed operator (per event)");
  for (const std::size_t keys : effort.key_counts) {
    in_own_process(table, [&] { with_keys(keys, effort, table); });
  }
}

}  // namespace sluice::bench
