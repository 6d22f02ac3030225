// ReducingState: the running sum of a sensor's levels (JOB-04).
#pragma once

#include "pipeline/graph/stream.hpp"
#include "tests/parity/jobs/arithmetic.hpp"
#include "tests/parity/jobs/water_sensor.hpp"

namespace sluice::parity {

class Sum final : public KeyedProcessFunction<std::string, WaterSensor, std::string> {
 public:
  void open(RuntimeContext& context) override {
    sum_ = context.reducing_state<std::int32_t>({.name = "vcReduceState", .reduce = wrapping_add});
  }

  void process_element(const WaterSensor& reading, Context&, Collector<std::string>& out) override {
    sum_.add(reading.vc);
    out.collect("id为:" + reading.id + ",水位线总和:" + std::to_string(sum_.get().value()));
  }

 private:
  ReducingState<std::int32_t> sum_;
};

}  // namespace sluice::parity
