// Broadcast state: alerts on levels over the configured one, which is 0 before the first
// configuration (JOB-08). A configuration that is no number fails the next reading.
#pragma once

#include <stdexcept>

#include "pipeline/graph/stream.hpp"
#include "tests/parity/jobs/water_sensor.hpp"
#include "tests/parity/jobs/whole_number.hpp"

namespace sluice::parity {

class BroadcastThreshold final
    : public BroadcastProcessFunction<WaterSensor, std::string, std::string> {
 public:
  static BroadcastStateDescriptor<std::string, std::string> config() {
    return {.name = "broadcast-state"};
  }

  void process_element(const WaterSensor& reading, ReadOnlyContext& context,
                       Collector<std::string>& out) override {
    const std::string limit = context.broadcast_state(config()).get("config").value_or("0");
    if (number(limit) < reading.vc) {
      out.collect("水位超过指定的预置:" + limit + ",当前水位:" + std::to_string(reading.vc));
    }
  }
  void process_broadcast_element(const std::string& limit, Context& context,
                                 Collector<std::string>&) override {
    context.broadcast_state(config()).put("config", limit);
  }

 private:
  static std::int32_t number(const std::string& text) {
    const auto value = parse_int(text);
    if (!value) throw std::invalid_argument{"no number: " + text};
    return *value;
  }
};

}  // namespace sluice::parity
