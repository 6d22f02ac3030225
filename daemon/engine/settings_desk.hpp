// SettingsDesk: what the config topic says, checked by the monitor's kind, answered, remembered.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/config/config.hpp"
#include "daemon/engine/announcer.hpp"
#include "daemon/engine/counters.hpp"
#include "daemon/engine/settings_log.hpp"
#include "daemon/engine/site_graph.hpp"
#include "pipeline/base/log.hpp"
#include "pipeline/plugin/registry.hpp"
#include "pipeline/records/setting.hpp"
#include "storage/journal/record.hpp"

namespace sluice::daemon {

/// Engine thread. Part of the checkpoint, since a retained setting that a broker sends again at
/// each connect must not count as a new one.
class SettingsDesk {
 public:
  SettingsDesk(const Config& config, const Registry& registry, Announcer& announcer,
               Counters& counters, Log& log)
      : config_{config},
        registry_{registry},
        announcer_{announcer},
        counters_{counters},
        log_{log},
        said_{log} {}

  /// The setting to apply, or nothing if it was rejected (the last good one stays) or is known.
  /// The answer is added to `out`. `skipped`: the monitors that failed on it before, which refuse
  /// it. `quiet`: a replay, which counts and logs nothing again.
  std::optional<Setting> handle(const storage::JournalRecord& record,
                                const SkippedMonitors& skipped, bool quiet,
                                std::vector<Publication>& out);

  /// Every second or so, in the journal's time: for what the log says later.
  void tend(Timestamp now) { said_.tend(now); }

  /// For the checkpoint.
  Datum save() const;
  /// What save() gave. Entries that are not of that form are left out.
  void restore(const Datum& saved);

 private:
  struct Current {
    std::int64_t version{};
    std::string payload;
  };
  using Key = std::pair<std::string, std::string>;  // monitor, sensor

  const MonitorConfig* find_monitor(const std::string& name) const;
  Result<Setting> read(const MonitorConfig& monitor, const Key& key,
                       const storage::JournalRecord& record) const;
  void accept(const Key& key, const Setting& setting, const storage::JournalRecord& record,
              bool quiet, std::vector<Publication>& out);
  void reject(const Key& key, const std::string& reason, const storage::JournalRecord& record,
              bool quiet, std::vector<Publication>& out);

  const Config& config_;
  const Registry& registry_;
  Announcer& announcer_;
  Counters& counters_;
  Log& log_;
  SettingsLog said_;
  std::map<Key, Current> current_;
};

}  // namespace sluice::daemon
