#include "tests/crash/kill_loop/configuration.hpp"

#include "tests/crash/kill_loop/ledger.hpp"

namespace sluice::crash {

std::string configuration(const ConfigurationSetup& setup) {
  return "[site]\nid = \"rig\"\ndata_dir = \"" + setup.data +
         "\"\nlog_level = \"warning\"\n[mqtt]\nservers = [\"" + setup.broker +
         "\"]\nprotocol = \"" + (setup.mqtt == 5 ? "5" : "3.1.1") +
         "\"\nreconnect_min = \"100ms\"\n" + setup.mqtt_lines +
         "[[source]]\nname = \"levels\"\ntopic = \"in/+\"\nqos = " + std::to_string(setup.qos) +
         "\nformat = \"text\"\nsensor = \"topic:1\"\nlevel = \"payload\"\n"
         "[checkpoint]\ninterval = \"" +
         setup.checkpoints + "\"\n[journal]\nsegment_size = \"" + setup.segment_size +
         "\"\nsync = \"" + setup.sync + "\"\nsync_interval = \"" + setup.sync_interval +
         "\"\n[[monitor]]\nname = \"" + kCountMonitor +
         "\"\nkind = \"count\"\n[[monitor]]\nname = \"" + kAlertMonitor +
         "\"\nkind = \"delta\"\nlimit = 1\nsensors = [\"" + setup.alert_sensors + "\"]\n" +
         setup.monitors;
}

}  // namespace sluice::crash
