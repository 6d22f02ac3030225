// Broadcast state: alerts on levels over the configured one, which is 0 before the first
// configuration (JOB-08). A configuration that is no number fails the next reading.
#pragma once

#include <charconv>
#include <stdexcept>

#include "pipeline/graph/stream.hpp"
#include "tests/parity/jobs/water_sensor.hpp"

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
    std::int32_t value{};
    const char* end = text.data() + text.size();
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc{} || stop != end) throw std::invalid_argument{"no number: " + text};
    return value;
  }
};

}  // namespace sluice::parity
