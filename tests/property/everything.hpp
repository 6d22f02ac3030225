// Everything: a keyed function that uses all kinds of state and both kinds of timers as an Op says,
// and reports what it reads. The thing that property tests cut, restore and rescale.
#pragma once

#include <optional>

#include "pipeline/graph/stream.hpp"
#include "tests/property/script.hpp"

namespace sluice::property {

struct MeanAggregate {
  using Input = std::int64_t;
  struct Accumulator {
    std::int64_t count{};
    std::int64_t sum{};
  };
  using Result = std::int64_t;
  Accumulator create_accumulator() const { return {}; }
  void add(std::int64_t value, Accumulator& acc) const {
    ++acc.count;
    acc.sum += value;
  }
  Result get_result(const Accumulator& acc) const { return acc.sum * 1000 / acc.count; }
};
SLUICE_FIELDS(MeanAggregate::Accumulator, count, sum)

/// What it says: always about one key.
struct Report {
  std::string key;
  std::string text;
  friend auto operator<=>(const Report&, const Report&) = default;
};

class Everything final : public KeyedProcessFunction<std::string, Op, Report> {
 public:
  explicit Everything(std::optional<TtlConfig> ttl) : ttl_{std::move(ttl)} {}

  void open(RuntimeContext& context) override;
  void process_element(const Op& op, Context& context, Collector<Report>& out) override;
  void on_timer(Timestamp at, OnTimerContext& context, Collector<Report>& out) override;

 private:
  void change_state(const Op& op);
  void change_timers(const Op& op, TimerService& timers) const;
  std::string read_all();

  std::optional<TtlConfig> ttl_;
  ValueState<std::int64_t> value_;
  ListState<std::int64_t> list_;
  MapState<std::string, std::int64_t> map_;
  ReducingState<std::int64_t> reducing_;
  AggregatingState<std::int64_t, std::int64_t> aggregating_;
};

}  // namespace sluice::property
