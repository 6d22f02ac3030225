// ValueState with a time-to-live: shows the previous level, then stores the new one (JOB-06).
#pragma once

#include "pipeline/graph/stream.hpp"
#include "tests/parity/jobs/water_sensor.hpp"

namespace sluice::parity {

class TtlValue final : public KeyedProcessFunction<std::string, WaterSensor, std::string> {
 public:
  explicit TtlValue(const TtlConfig& ttl) : ttl_{ttl} {}

  void open(RuntimeContext& context) override {
    last_ = context.value_state<std::int32_t>({.name = "lastVcState", .ttl = ttl_});
  }

  void process_element(const WaterSensor& reading, Context&, Collector<std::string>& out) override {
    const auto last = last_.value();
    out.collect("id为:" + reading.id + ",状态值:" + (last ? std::to_string(*last) : "null"));
    last_.update(reading.vc);
  }

 private:
  TtlConfig ttl_;
  ValueState<std::int32_t> last_;
};

}  // namespace sluice::parity
