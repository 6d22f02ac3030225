// The configuration that the rigs' daemon runs with; the ledger knows its monitors.
#pragma once

#include <string>

namespace sluice::crash {

struct ConfigurationSetup {
  std::string data;    ///< its data folder
  std::string broker;  ///< "mqtt://…"
  int qos{1};
  int mqtt{5};                       ///< or 3
  std::string segment_size{"1MiB"};  ///< of the journal
  std::string checkpoints{"1s"};     ///< interval
  std::string sync{"alert"};         ///< of the journal
  std::string sync_interval{"5s"};
  std::string alert_sensors{"*"};  ///< whose readings raise alerts
  std::string mqtt_lines{};        ///< more of the [mqtt] table
  std::string monitors{};          ///< more tables
};

/// Readings come on in/<sensor>, all else is below sluice/rig/.
std::string configuration(const ConfigurationSetup& setup);

}  // namespace sluice::crash
