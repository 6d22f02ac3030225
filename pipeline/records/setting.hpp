// Setting: what the config topic changes while the daemon runs.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/base/datum.hpp"

namespace sluice {

/// An accepted setting of one monitor, already checked by its kind (MonitorKind::check_setting).
struct Setting {
  std::string monitor;
  std::string sensor;      ///< empty: for all sensors of that monitor
  std::int64_t version{};  ///< journal sequence of the message that brought it; grows for ever
  bool removed{};          ///< back to what the configuration file says
  Datum value;             ///< null if removed

  friend bool operator==(const Setting&, const Setting&) = default;
};

/// {"reset": true}: an action, which is done once, and nothing that stays.
inline bool is_reset(const Setting& setting) {
  const Datum* reset = setting.value.member("reset");
  return reset != nullptr && *reset == Datum{true};
}

}  // namespace sluice
