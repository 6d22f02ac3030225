#include "daemon/engine/announcer.hpp"

#include "daemon/json.hpp"

namespace sluice::daemon {

namespace {

Datum alert_document(const Output& output, const MonitorConfig& monitor, const PublicationId& id) {
  Datum::Struct members{{"id", to_string(id)},     {"time", format_time(output.time)},
                        {"monitor", monitor.name}, {"kind", monitor.kind},
                        {"sensor", output.sensor}, {"state", to_string(output.state)},
                        {"value", output.value}};
  if (output.limit) members.emplace_back("limit", *output.limit);
  if (output.setting_version != 0) members.emplace_back("setting", output.setting_version);
  members.emplace_back("quality", to_string(output.quality));
  members.emplace_back("text", output.text);
  return members;
}

Datum value_document(const Output& output) {
  return Datum::Struct{{"time", format_time(output.time)},
                       {"sensor", output.sensor},
                       {"value", output.value},
                       {"quality", to_string(output.quality)}};
}

}  // namespace

void Announcer::announce(const MonitorConfig& monitor, const Output& output,
                         std::vector<Publication>& out) {
  const PublicationId id = next_id();
  if (output.kind == OutputKind::kValue) {
    out.push_back({id, Urgency::kValue, topics_.value(monitor.name, output.sensor),
                   to_json(value_document(output)), monitor.qos, monitor.retain});
    return;
  }
  const std::string document = to_json(alert_document(output, monitor, id));
  out.push_back(
      {id, Urgency::kAlert, topics_.alert(monitor.name, output.sensor), document, 1, false});
  if (output.state == AlarmState::kEvent) return;
  out.push_back(
      {next_id(), Urgency::kStatus, topics_.alarm(monitor.name, output.sensor), document, 1, true});
}

void Announcer::announce_notice(const std::string& part, const std::string& text, AlarmState state,
                                Timestamp time, std::vector<Publication>& out) {
  Output output;
  output.kind = OutputKind::kAlert;
  output.sensor = part;
  output.state = state;
  output.time = time;
  output.text = text;
  MonitorConfig daemon;
  daemon.name = "sluice";
  daemon.kind = "notice";
  announce(daemon, output, out);
}

void Announcer::announce_setting(const std::string& monitor, const std::string& sensor,
                                 Datum document, std::vector<Publication>& out) {
  out.push_back({next_aside_id(), Urgency::kStatus, topics_.config_result(monitor, sensor),
                 to_json(document), 1, true});
}

void Announcer::announce_rejected(const std::string& source, Datum document,
                                  std::vector<Publication>& out) {
  out.push_back(
      {next_aside_id(), Urgency::kValue, topics_.rejected(source), to_json(document), 1, false});
}

}  // namespace sluice::daemon
