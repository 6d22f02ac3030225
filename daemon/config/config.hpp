// Config: everything a site's file says, checked and with fallbacks filled in.
//
// Made once at start by load_config(), then only read. Value types, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/catalog.hpp"
#include "daemon/config/plugins_config.hpp"
#include "daemon/config/problem.hpp"
#include "pipeline/base/log.hpp"
#include "pipeline/base/time.hpp"
#include "pipeline/plugin/options.hpp"
#include "storage/journal/sync_policy.hpp"

namespace sluice::daemon {

using storage::SyncPolicy;

/// `[site]`
struct SiteConfig {
  std::string id;
  std::string prefix;    ///< of all topics we publish; "sluice/<id>" unless set
  std::string data_dir;  ///< the file's, else the first of $STATE_DIRECTORY, else /var/lib/sluice
  LogLevel log_level{LogLevel::kInfo};
};

/// `[[source]]`
struct SourceConfig {
  std::string name;
  std::string topic;  ///< a checked topic filter
  int qos{1};
  std::string format;
  Options options;  ///< the format's
};

/// `[[monitor]]`
struct MonitorConfig {
  std::string name;
  std::string kind;
  std::vector<std::string> sources;  ///< names that exist; empty: all
  std::vector<std::string> sensors;  ///< patterns with * and ?; empty: all
  int qos{1};                        ///< of what it publishes
  bool retain{false};                ///< of the values it publishes
  Options options;                   ///< the kind's
};

/// `[time]`
struct TimeConfig {
  Duration disorder{};  ///< how far readings may arrive out of order in event time
  Duration idle{};      ///< after which a silent source no longer holds back event time
  Duration future{};    ///< how far ahead of receive time an event time may be
};

/// `[checkpoint]`
struct CheckpointConfig {
  Duration interval{};
  std::int64_t journal_size{};  ///< bytes of journal after which one is due as well
};

/// `[journal]`; sizes in bytes.
struct JournalConfig {
  std::int64_t segment_size{};
  SyncPolicy sync{SyncPolicy::kAlert};
  Duration sync_interval{};  ///< beside alerts, with kAlert
  Duration keep_age{};       ///< history kept behind the checkpoint; 0: none
  std::int64_t keep_size{};  ///< bound on that history
  std::int64_t max_size{};   ///< bound on all of it; 0: none
  bool write{true};          ///< not in the file: benchmarks compare with a journal of nothing
};

/// `[limits]`: what is bounded so that no sender can exhaust the machine.
struct LimitsConfig {
  std::int64_t payload_size{};     ///< bytes of one message; larger ones are rejected
  std::int64_t intake_messages{};  ///< waiting in memory; beyond it they wait in the journal
  std::int64_t outbox_messages{};  ///< waiting for the broker
  std::int64_t outbox_size{};      ///< the same in bytes
};

/// `[metrics]`
struct MetricsConfig {
  std::string listen;  ///< "127.0.0.1:9479"; empty: none are served
};

struct Config {
  SiteConfig site;
  Options mqtt;
  std::vector<SourceConfig> sources;
  std::vector<MonitorConfig> monitors;
  TimeConfig time;
  CheckpointConfig checkpoint;
  JournalConfig journal;
  LimitsConfig limits;
  PluginsConfig plugins;
  MetricsConfig metrics;
};

/// A configuration, or all that is wrong with the file, sorted by place. `config` is only to be
/// used if ok().
struct LoadedConfig {
  Config config;
  Problems problems;
  std::string source;  ///< the file's text

  bool ok() const { return problems.empty(); }
  /// All problems as text for people; empty if ok().
  std::string rendered() const { return render_problems(problems, source); }
};

/// Reads and checks a file; never throws, whatever is in it.
LoadedConfig load_config(const std::string& path, const KindCatalog& catalog);
/// The same for a text; `name` stands for the path in problems.
LoadedConfig load_config_text(std::string text, const std::string& name,
                              const KindCatalog& catalog);

/// Where state goes if nothing else is said. `state_directory` is the value of $STATE_DIRECTORY,
/// which may list several folders, or nullptr.
std::string default_data_dir(const char* state_directory);

}  // namespace sluice::daemon
