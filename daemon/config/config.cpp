#include "daemon/config/config.hpp"

#include <algorithm>
#include <cstdlib>

#include "daemon/config/config_tables.hpp"
#include "daemon/config/listen_address.hpp"
#include "daemon/config/names.hpp"
#include "daemon/config/sections.hpp"
#include "daemon/config/toml_reader.hpp"
#include "daemon/log_level_words.hpp"
#include "pipeline/plugin/option_text.hpp"

namespace sluice::daemon {

namespace {

/// A section that is not in the file is an empty one: its fallbacks hold.
const ConfigNode& section_node(const ConfigNode& root, const Section& section) {
  static const ConfigNode kEmpty{ConfigNode::Table{}, {}};
  const ConfigEntry* entry = root.find(section.name);
  return entry == nullptr ? kEmpty : entry->value;
}

/// The options of a `[section]`.
Options check_section(const ConfigNode& root, const Section& section,
                      std::span<const OptionSpec> options, ProblemSink& problems) {
  const ConfigNode& node = section_node(root, section);
  if (node.array() != nullptr) {
    problems.add(node.array()->empty() ? node.at : node.array()->front().at,
                 "there is only one " + header_of(section),
                 "write " + header_of(section) + " with single brackets");
    return Options::fallbacks(options);
  }
  return check_table(node, header_of(section), options, problems);
}

void check_section_names(const ConfigNode& root, ProblemSink& problems) {
  std::vector<std::string_view> known;
  for (const Section& section : kSections) known.push_back(section.name);
  for (const ConfigEntry& entry : *root.table()) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    const bool is_table = entry.value.table() != nullptr || entry.value.array() != nullptr;
    std::string hint = did_you_mean(entry.key, known);
    if (!is_table && hint.empty()) hint = "options stand below a header such as [site]";
    problems.add(is_table ? entry.value.at : entry.key_at,
                 (is_table ? "unknown table '" : "unknown option '") + printable(entry.key) +
                     (is_table ? "'" : "' outside of any table"),
                 std::move(hint));
  }
}

SiteConfig site_config(const ConfigNode& root, ProblemSink& problems) {
  SiteConfig out;
  if (root.find(kSite.name) == nullptr) {
    problems.add({}, "the table [site] is missing", "add: [site] and below it id = \"my-site\"");
    return out;
  }
  const Options options = check_section(root, kSite, kSite.options, problems);
  const ConfigNode& node = section_node(root, kSite);
  const std::string what = header_of(kSite);
  if (options.has("id")) {
    out.id = options.text("id");
    check_status(node, what, check_name("id", out.id), problems);
  }
  out.prefix = "sluice/" + out.id;
  if (options.has("prefix")) {
    out.prefix = options.text("prefix");
    check_status(node, what, check_prefix(out.prefix), problems);
  }
  out.data_dir = default_data_dir(std::getenv("STATE_DIRECTORY"));
  if (options.has("data_dir")) {
    out.data_dir = options.text("data_dir");
    if (out.data_dir.empty() || out.data_dir.front() != '/') {
      problems.add(place_of(node, "data_dir"),
                   "'data_dir' must be an absolute path, not \"" + printable(out.data_dir) + "\"",
                   "begin it with /");
    }
  }
  out.log_level = log_level_from_word(options.text("log_level")).value_or(LogLevel::kInfo);
  return out;
}

SyncPolicy sync_policy_of(const std::string& word) {
  if (word == "each") return SyncPolicy::kEach;
  return word == "never" ? SyncPolicy::kNever : SyncPolicy::kAlert;
}

JournalConfig journal_config(const Options& options) {
  JournalConfig out;
  out.segment_size = options.integer("segment_size");
  out.sync = sync_policy_of(options.text("sync"));
  out.sync_interval = options.duration("sync_interval");
  out.keep_age = options.duration("keep_age");
  out.keep_size = options.integer("keep_size");
  out.max_size = options.integer("max_size");
  return out;
}

LimitsConfig limits_config(const Options& options) {
  return {options.integer("payload_size"), options.integer("intake_messages"),
          options.integer("outbox_messages"), options.integer("outbox_size")};
}

PluginsConfig checked_plugins(const ConfigNode& root, ProblemSink& problems) {
  PluginsConfig out = plugins_config(check_section(root, kPlugins, kPlugins.options, problems));
  const ConfigNode& node = section_node(root, kPlugins);
  if (!out.dir.empty() && out.dir.front() != '/') {
    problems.add(place_of(node, "dir"),
                 "'dir' must be an absolute path, not \"" + printable(out.dir) + "\"",
                 "begin it with /, or write \"\" for no folder");
  }
  const ConfigEntry* load = node.find("load");
  const auto* items = load == nullptr ? nullptr : load->value.array();
  for (std::size_t i = 0; items != nullptr && i < out.load.size() && i < items->size(); ++i) {
    if (!out.load[i].empty() && out.load[i].front() == '/') continue;
    problems.add((*items)[i].at,
                 "'load' takes absolute paths, not \"" + printable(out.load[i]) + "\"",
                 "begin it with /");
  }
  return out;
}

MetricsConfig metrics_config(const ConfigNode& root, ProblemSink& problems) {
  MetricsConfig out;
  const Options options = check_section(root, kMetrics, kMetrics.options, problems);
  if (!options.has("listen")) return out;
  out.listen = options.text("listen");
  const auto address = parse_listen_address(out.listen);
  if (!address) {
    check_status(section_node(root, kMetrics), header_of(kMetrics), address.error(), problems);
  }
  return out;
}

Config check_config(const ConfigNode& root, const KindCatalog& catalog, ProblemSink& problems) {
  Config out;
  check_section_names(root, problems);
  out.site = site_config(root, problems);

  const std::size_t before = problems.count();
  out.mqtt = check_section(root, kMqtt, catalog.mqtt_options(), problems);
  // A cross-check of options that are already refused would only repeat it in other words.
  if (problems.count() == before) {
    check_status(section_node(root, kMqtt), header_of(kMqtt), catalog.check_mqtt(out.mqtt),
                 problems);
  }
  out.sources = source_configs(root, catalog, problems);
  out.monitors = monitor_configs(root, catalog, out.sources, problems);

  const Options time = check_section(root, kTime, kTime.options, problems);
  out.time = {time.duration("disorder"), time.duration("idle"), time.duration("future")};
  const Options checkpoint = check_section(root, kCheckpoint, kCheckpoint.options, problems);
  out.checkpoint = {checkpoint.duration("interval"), checkpoint.integer("journal_size")};
  out.journal = journal_config(check_section(root, kJournal, kJournal.options, problems));
  // The open segment and the one before it, at the least, or nothing would ever be stored.
  if (out.journal.max_size != 0 && out.journal.max_size < 2 * out.journal.segment_size) {
    const ConfigNode& node = section_node(root, kJournal);
    const bool named = node.find("max_size") != nullptr;
    problems.add(place_of(node, named ? "max_size" : "segment_size"),
                 "'max_size' (" + format_size(out.journal.max_size) +
                     ") must be at least twice 'segment_size' (" +
                     format_size(out.journal.segment_size) + ")",
                 "raise the one or lower the other; max_size = \"0B\" is no limit");
  }
  out.limits = limits_config(check_section(root, kLimits, kLimits.options, problems));
  out.metrics = metrics_config(root, problems);
  out.plugins = checked_plugins(root, problems);
  return out;
}

LoadedConfig check_file(TomlFile file, const std::string& name, const KindCatalog& catalog) {
  LoadedConfig out;
  out.problems = std::move(file.problems);
  if (file.parsed) {
    ProblemSink problems{name, out.problems};
    out.config = check_config(file.root, catalog, problems);
  }
  out.source = std::move(file.source);
  sort_problems(out.problems);
  return out;
}

}  // namespace

LoadedConfig load_config(const std::string& path, const KindCatalog& catalog) {
  return check_file(read_toml_file(path), path, catalog);
}

LoadedConfig load_config_text(std::string text, const std::string& name,
                              const KindCatalog& catalog) {
  return check_file(read_toml_text(std::move(text), name), name, catalog);
}

std::string default_data_dir(const char* state_directory) {
  const std::string_view listed = state_directory == nullptr ? "" : state_directory;
  const std::string_view first = listed.substr(0, listed.find(':'));
  return first.empty() ? "/var/lib/sluice" : std::string{first};
}

}  // namespace sluice::daemon
