// The documents' reading of a temperature, and the alert about it. Event time is the record's own.
#pragma once

#include <string>

#include "pipeline/base/time.hpp"

namespace sluice::parity {

struct SensorReading {
  std::string sensor_id;
  double temperature{};
};

/// {"sensorId": …, "message": …, "timestamp": …}, the time null where there is none.
std::string alert_text(const std::string& sensor_id, const std::string& message,
                       OptionalTimestamp timestamp);

}  // namespace sluice::parity
