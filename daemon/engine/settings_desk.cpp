#include "daemon/engine/settings_desk.hpp"

#include <algorithm>

#include "daemon/engine/datum_member.hpp"
#include "daemon/json.hpp"
#include "pipeline/base/text.hpp"
#include "pipeline/base/thrown.hpp"

namespace sluice::daemon {

namespace {

/// The wall around a kind: the setting stays in the journal, so what is thrown here would end the
/// engine at every start.
Result<Datum> check_setting(const MonitorKind& kind, const Datum& value, const Options& options) {
  try {
    return kind.check_setting(value, options);
  } catch (...) {
    return Error{ErrorCode::kInternal, "the kind '" + std::string{kind.name()} +
                                           "' failed on it (" + printable(thrown_words()) +
                                           "); this is a bug of the kind"};
  }
}

}  // namespace

const MonitorConfig* SettingsDesk::find_monitor(const std::string& name) const {
  const auto it = std::find_if(config_.monitors.begin(), config_.monitors.end(),
                               [&](const MonitorConfig& m) { return m.name == name; });
  return it == config_.monitors.end() ? nullptr : &*it;
}

Result<Setting> SettingsDesk::read(const MonitorConfig& monitor, const Key& key,
                                   const storage::JournalRecord& record) const {
  Setting setting{monitor.name, key.second, static_cast<std::int64_t>(record.sequence), false, {}};
  if (record.cut())
    return Error{ErrorCode::kInvalid, "it is larger than limits.payload_size allows"};
  // White space around a payload says nothing: `mosquitto_pub` from a file leaves a newline.
  const std::string_view text = trimmed(record.payload);
  if (text.empty()) {
    setting.removed = true;
    return setting;
  }
  auto value = parse_json(text);
  if (!value) return std::move(value).error();
  auto checked = check_setting(*registry_.monitor(monitor.kind), *value, monitor.options);
  if (!checked) return std::move(checked).error();
  setting.value = std::move(*checked);
  return setting;
}

std::optional<Setting> SettingsDesk::handle(const storage::JournalRecord& record,
                                            const SkippedMonitors& skipped, bool quiet,
                                            std::vector<Publication>& out) {
  const auto target = announcer_.topics().parse_config(record.topic);
  const Key key{target.monitor, target.sensor};
  if (!target.valid) {
    reject({"unknown", ""}, "the topic is not <prefix>/config/<monitor> or …/<monitor>/<sensor>",
           record, quiet, out);
    return std::nullopt;
  }
  const MonitorConfig* monitor = find_monitor(target.monitor);
  if (monitor == nullptr) {
    reject(key, "there is no monitor of this name", record, quiet, out);
    return std::nullopt;
  }
  const auto known = current_.find(key);
  const std::string_view known_payload =
      known == current_.end() ? std::string_view{} : known->second.payload;
  if (record.retained() && known_payload == record.payload) return std::nullopt;
  auto setting = read(*monitor, key, record);
  if (!setting) {
    reject(key, setting.error().message(), record, quiet, out);
    return std::nullopt;
  }
  // What a broker kept was done long ago, and would be done again at each connect.
  if (record.retained() && is_reset(*setting)) {
    reject(key, "this reset is an old one that the broker kept: send it without retain (-r)",
           record, quiet, out);
    return std::nullopt;
  }
  if (skipped.contains(monitor->name)) {
    reject(key, "the monitor failed on it; this is a bug of its kind '" + monitor->kind + "'",
           record, quiet, out);
    return std::nullopt;
  }
  accept(key, *setting, record, quiet, out);
  return std::move(*setting);
}

void SettingsDesk::accept(const Key& key, const Setting& setting,
                          const storage::JournalRecord& record, bool quiet,
                          std::vector<Publication>& out) {
  if (setting.removed) {
    current_.erase(key);
  } else if (!is_reset(setting)) {
    current_[key] = {setting.version, record.payload};
  }
  announcer_.announce_setting(key.first, key.second,
                              Datum::Struct{{"accepted", true},
                                            {"version", setting.version},
                                            {"removed", setting.removed},
                                            {"setting", setting.value},
                                            {"time", format_time(record.time)}},
                              out);
  if (quiet) return;
  ++counters_.settings_accepted;
  said_.accepted(setting, record.payload, record.time);
}

void SettingsDesk::reject(const Key& key, const std::string& reason,
                          const storage::JournalRecord& record, bool quiet,
                          std::vector<Publication>& out) {
  const auto kept = current_.find(key);
  announcer_.announce_setting(
      key.first, key.second,
      Datum::Struct{{"accepted", false},
                    {"reason", reason},
                    {"kept_version", kept == current_.end() ? 0 : kept->second.version},
                    {"payload", excerpt(record.payload)},
                    {"time", format_time(record.time)}},
      out);
  if (quiet) return;
  ++counters_.settings_rejected;
  // Invented names must not each have a line of their own.
  const std::string whose = find_monitor(key.first) == nullptr ? "" : "." + key.first;
  log_.write_limited("setting-rejected" + whose, LogLevel::kWarning,
                     "setting rejected, the last good one stays: " + reason,
                     {{"topic", excerpt(record.topic)}, {"payload", excerpt(record.payload)}});
}

Datum SettingsDesk::save() const {
  Datum::List list;
  for (const auto& [key, current] : current_) {
    list.push_back(Datum::Struct{{"monitor", key.first},
                                 {"sensor", key.second},
                                 {"version", current.version},
                                 {"payload", current.payload}});
  }
  return list;
}

void SettingsDesk::restore(const Datum& saved) {
  current_.clear();
  const auto* list = saved.get_if<Datum::List>();
  if (list == nullptr) return;
  for (const auto& item : *list) {
    const auto* monitor = member_if<std::string>(item, "monitor");
    const auto* sensor = member_if<std::string>(item, "sensor");
    const auto* version = member_if<std::int64_t>(item, "version");
    const auto* payload = member_if<std::string>(item, "payload");
    if (monitor == nullptr || sensor == nullptr || payload == nullptr || version == nullptr)
      continue;
    current_[{*monitor, *sensor}] = {*version, *payload};
  }
}

}  // namespace sluice::daemon
