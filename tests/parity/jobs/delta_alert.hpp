// ValueState: an alert when a level differs by more than 10 from the sensor's previous one, which
// is 0 at first (JOB-01).
#pragma once

#include "pipeline/graph/stream.hpp"
#include "tests/parity/jobs/arithmetic.hpp"
#include "tests/parity/jobs/water_sensor.hpp"

namespace sluice::parity {

class DeltaAlert final : public KeyedProcessFunction<std::string, WaterSensor, std::string> {
 public:
  void open(RuntimeContext& context) override {
    last_ = context.value_state<std::int32_t>({.name = "lastVcState"});
  }

  void process_element(const WaterSensor& reading, Context&, Collector<std::string>& out) override {
    const std::int32_t last = last_.value().value_or(0);
    if (wrapping_abs(wrapping_sub(reading.vc, last)) > 10) {
      out.collect("id为:" + reading.id + ",当前水位值:" + std::to_string(reading.vc) +
                  ",上一条水位值:" + std::to_string(last) + ",相差超过10!!!");
    }
    last_.update(reading.vc);
  }

 private:
  ValueState<std::int32_t> last_;
};

}  // namespace sluice::parity
