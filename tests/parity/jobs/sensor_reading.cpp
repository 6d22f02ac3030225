#include "tests/parity/jobs/sensor_reading.hpp"

#include <nlohmann/json.hpp>

namespace sluice::parity {

std::string alert_text(const std::string& sensor_id, const std::string& message,
                       OptionalTimestamp timestamp) {
  nlohmann::json alert{{"sensorId", sensor_id}, {"message", message}, {"timestamp", nullptr}};
  if (timestamp) alert["timestamp"] = *timestamp;
  return alert.dump();
}

}  // namespace sluice::parity
