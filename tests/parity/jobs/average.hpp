// AggregatingState: the running average of a sensor's levels (JOB-05).
#pragma once

#include "pipeline/graph/stream.hpp"
#include "tests/parity/jobs/arithmetic.hpp"
#include "tests/parity/jobs/double_text.hpp"
#include "tests/parity/jobs/water_sensor.hpp"

namespace sluice::parity {

struct SumAndCount {
  std::int32_t sum{};
  std::int32_t count{};
};
SLUICE_FIELDS(SumAndCount, sum, count)

struct Mean {
  using Input = std::int32_t;
  using Accumulator = SumAndCount;
  using Result = double;

  Accumulator create_accumulator() const { return {}; }
  void add(const Input& value, Accumulator& to) const {
    to.sum = wrapping_add(to.sum, value);
    ++to.count;
  }
  Result get_result(const Accumulator& of) const { return of.sum * 1.0 / of.count; }
};

class Average final : public KeyedProcessFunction<std::string, WaterSensor, std::string> {
 public:
  void open(RuntimeContext& context) override {
    mean_ = context.aggregating_state<Mean>({.name = "aggregatingState"});
  }

  void process_element(const WaterSensor& reading, Context&, Collector<std::string>& out) override {
    mean_.add(reading.vc);
    out.collect("id为:" + reading.id + ",平均水位值:" + double_text(mean_.get().value()));
  }

 private:
  AggregatingState<std::int32_t, double> mean_;
};

}  // namespace sluice::parity
