// Side output: temperatures over 50 are alerts on the main output, all others go to "normal"
// (JOB-12).
#pragma once

#include "pipeline/graph/stream.hpp"
#include "tests/parity/jobs/double_text.hpp"
#include "tests/parity/jobs/sensor_reading.hpp"

namespace sluice::parity {

class Spike final : public ProcessFunction<SensorReading, std::string> {
 public:
  static OutputTag<std::string> normal() { return OutputTag<std::string>{"normal"}; }

  void process_element(const SensorReading& reading, Context& context,
                       Collector<std::string>& out) override {
    const std::string temperature = double_text(reading.temperature);
    if (reading.temperature > 50.0) {
      out.collect(alert_text(reading.sensor_id, "High temperature detected: " + temperature + "°C",
                             context.timestamp()));
    } else {
      context.output(normal_, reading.sensor_id + " " + temperature);
    }
  }

 private:
  OutputTag<std::string> normal_{normal()};
};

}  // namespace sluice::parity
