// The documents' reading of a water level.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::parity {

struct WaterSensor {
  std::string id;
  std::int64_t ts{};  ///< seconds
  std::int32_t vc{};  ///< the level
};

}  // namespace sluice::parity
