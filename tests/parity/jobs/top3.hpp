// ListState: a sensor's three highest levels so far, duplicates included (JOB-02).
#pragma once

#include <algorithm>
#include <functional>

#include "pipeline/graph/stream.hpp"
#include "tests/parity/jobs/water_sensor.hpp"

namespace sluice::parity {

class Top3 final : public KeyedProcessFunction<std::string, WaterSensor, std::string> {
 public:
  void open(RuntimeContext& context) override {
    highest_ = context.list_state<std::int32_t>({.name = "vcListState"});
  }

  void process_element(const WaterSensor& reading, Context&, Collector<std::string>& out) override {
    highest_.add(reading.vc);
    auto levels = highest_.get().to_vector();
    std::sort(levels.begin(), levels.end(), std::greater<>{});
    if (levels.size() > 3) levels.resize(3);

    std::string text;
    for (const auto level : levels) text += (text.empty() ? "" : ", ") + std::to_string(level);
    out.collect("id为:" + reading.id + ",最大的三个水位值:[" + text + "]");
    highest_.update(levels);
  }

 private:
  ListState<std::int32_t> highest_;
};

}  // namespace sluice::parity
