// MapState: how often each level occurred at a sensor (JOB-03).
#pragma once

#include "pipeline/graph/stream.hpp"
#include "tests/parity/jobs/water_sensor.hpp"

namespace sluice::parity {

class LevelCount final : public KeyedProcessFunction<std::string, WaterSensor, std::string> {
 public:
  void open(RuntimeContext& context) override {
    counts_ = context.map_state<std::int32_t, std::int32_t>({.name = "vcMapState"});
  }

  void process_element(const WaterSensor& reading, Context&, Collector<std::string>& out) override {
    counts_.put(reading.vc, counts_.get(reading.vc).value_or(0) + 1);

    std::string text = "id为:" + reading.id;
    for (const auto& [level, count] : counts_.entries()) {
      text += ",key:" + std::to_string(level) + ",value:" + std::to_string(count);
    }
    out.collect(text);
  }

 private:
  MapState<std::int32_t, std::int32_t> counts_;
};

}  // namespace sluice::parity
