#include "daemon/config/config_tables.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "daemon/config/names.hpp"
#include "daemon/config/sections.hpp"
#include "pipeline/base/log.hpp"

namespace sluice::daemon {

namespace {

/// The elements of `[[name]]`, and a problem for anything else of that name.
const ConfigNode::Array& elements(const ConfigNode& root, const Section& section,
                                  ProblemSink& problems) {
  static const ConfigNode::Array kNone;
  const ConfigEntry* entry = root.find(section.name);
  if (entry == nullptr || entry->value.refused()) return kNone;
  if (const auto* array = entry->value.array()) return *array;
  const std::string name{section.name};
  problems.add(
      entry->value.at,
      "'" + name + "' must be a list of tables, not " + std::string{entry->value.kind_name()},
      "write [[" + name + "]] with double brackets for each");
  return kNone;
}

/// `[[source]] "levels"`, or without the name if it has none.
std::string title_of(const Section& section, const ConfigNode& node) {
  std::string out = header_of(section);
  const ConfigEntry* entry = node.find("name");
  const auto* name = entry == nullptr ? nullptr : std::get_if<std::string>(&entry->value.value);
  return name == nullptr ? out : out + " \"" + printable(*name) + "\"";
}

/// The common options of a table together with those of its kind.
std::vector<OptionSpec> joined(std::span<const OptionSpec> common,
                               std::span<const OptionSpec> own) {
  std::vector<OptionSpec> out{common.begin(), common.end()};
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

std::optional<KindEntry> find_kind(const std::vector<KindEntry>& kinds, std::string_view name) {
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const KindEntry& kind) { return kind.name == name; });
  if (found == kinds.end()) return std::nullopt;
  return *found;
}

/// "unknown kind …", with the likely one or all there are.
void report_unknown_kind(const ConfigNode& node, std::string_view option, const std::string& word,
                         const std::vector<KindEntry>& kinds, ProblemSink& problems) {
  std::vector<std::string_view> names;
  std::string all;
  for (const KindEntry& kind : kinds) {
    names.push_back(kind.name);
    all += (all.empty() ? "" : ", ") + std::string{kind.name};
  }
  std::string hint = did_you_mean(word, names);
  if (hint.empty()) hint = "there are: " + all;
  problems.add(place_of(node, option),
               "unknown " + std::string{option} + " \"" + printable(word) + "\"", std::move(hint));
}

/// What the tables of sources and of monitors have in common.
struct TableKind {
  const Section& section;
  std::string_view option;  ///< that names the kind: "format" or "kind"
  std::string_view word;    ///< the kind if that option is not given; may be empty
  const std::vector<KindEntry>& kinds;
  std::function<Status(std::string_view, const Options&)> check;
};

/// Checks a table with the options of its kind, then across options if each was right by itself.
Options check_kind_table(const ConfigNode& node, const TableKind& table, ProblemSink& problems) {
  const std::string title = title_of(table.section, node);
  const ConfigEntry* entry = node.find(table.option);
  const auto* given = entry == nullptr ? nullptr : std::get_if<std::string>(&entry->value.value);
  const std::string word = given != nullptr ? *given : std::string{table.word};
  const auto kind = find_kind(table.kinds, word);
  // Without a known kind nobody can say which further options there are.
  const auto unknown = kind ? UnknownKeys::kRefuse : UnknownKeys::kIgnore;
  const auto specs =
      joined(table.section.options, kind ? kind->options : std::span<const OptionSpec>{});
  const std::size_t before = problems.count();
  Options options = check_table(node, title, specs, problems, unknown);
  if (given != nullptr && !kind) {
    report_unknown_kind(node, table.option, word, table.kinds, problems);
  }
  if (kind && problems.count() == before) {
    check_status(node, title, table.check(word, options), problems);
  }
  return options;
}

std::string text_or_empty(const Options& options, std::string_view name) {
  return options.has(name) ? options.text(name) : std::string{};
}

std::vector<std::string> texts_or_none(const Options& options, std::string_view name) {
  return options.has(name) ? options.texts(name) : std::vector<std::string>{};
}

/// A name's characters and uniqueness. A missing name has been reported already.
std::string checked_name(const ConfigNode& node, const Options& options, UniqueNames& names,
                         std::string_view title, ProblemSink& problems) {
  if (!options.has("name")) return {};
  const std::string& name = options.text("name");
  const Status status = check_name("name", name);
  check_status(node, title, status, problems);
  if (status) names.add(name, place_of(node, "name"));
  return name;
}

/// Points at each item of a list option that `why_not` has something against.
void check_items(const ConfigNode& node, std::string_view option,
                 const std::vector<std::string>& items, ProblemSink& problems,
                 const std::function<std::optional<Problem>(const std::string&)>& why_not) {
  const ConfigEntry* entry = node.find(option);
  const auto* nodes = entry == nullptr ? nullptr : entry->value.array();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto problem = why_not(items[i]);
    if (!problem) continue;
    const bool placed = nodes != nullptr && i < nodes->size();
    problems.add(placed ? (*nodes)[i].at : place_of(node, option), problem->message, problem->hint);
  }
}

/// An empty list would have to mean nobody, and is mostly one that was to be filled in.
void check_not_empty(const ConfigNode& node, std::string_view option, ProblemSink& problems) {
  const ConfigEntry* entry = node.find(option);
  const auto* items = entry == nullptr ? nullptr : entry->value.array();
  if (items == nullptr || !items->empty()) return;
  problems.add(entry->value.at, "'" + std::string{option} + "' is empty, so nothing is listened to",
               "leave '" + std::string{option} + "' out to listen to all");
}

void check_filters(const ConfigNode& node, const MonitorConfig& monitor,
                   const std::vector<SourceConfig>& sources, ProblemSink& problems) {
  std::vector<std::string_view> names;
  for (const SourceConfig& source : sources) names.push_back(source.name);
  check_not_empty(node, "sources", problems);
  check_not_empty(node, "sensors", problems);
  check_items(node, "sources", monitor.sources, problems,
              [&](const std::string& name) -> std::optional<Problem> {
                if (std::find(names.begin(), names.end(), name) != names.end()) return std::nullopt;
                return Problem{{},
                               {},
                               "there is no source named \"" + printable(name) + "\"",
                               did_you_mean(name, names)};
              });
  check_items(node, "sensors", monitor.sensors, problems,
              [](const std::string& pattern) -> std::optional<Problem> {
                if (!pattern.empty()) return std::nullopt;
                return Problem{{},
                               {},
                               "a pattern in 'sensors' must not be empty",
                               "leave 'sensors' out to listen to all"};
              });
}

// A message goes to the first source whose filter matches, so of two with the same one the second
// would never get any.
void check_topic(const ConfigNode& node, const SourceConfig& source, const KindCatalog& catalog,
                 const std::vector<SourceConfig>& before, ProblemSink& problems) {
  if (!source.options.has("topic")) return;
  if (const Status status = catalog.check_topic_filter(source.topic); !status) {
    problems.add(place_of(node, "topic"), "'topic': " + status.error().message());
  }
  for (const SourceConfig& other : before) {
    if (other.topic != source.topic) continue;
    problems.add(place_of(node, "topic"),
                 "source \"" + printable(other.name) +
                     "\" has this topic already, and each message "
                     "goes to one source only",
                 "give one of them another topic, or make one source of both");
    return;
  }
}

}  // namespace

std::vector<SourceConfig> source_configs(const ConfigNode& root, const KindCatalog& catalog,
                                         ProblemSink& problems) {
  std::vector<SourceConfig> out;
  UniqueNames names{"sources", problems};
  const auto formats = catalog.formats();
  const TableKind table{kSource, "format", "json", formats,
                        [&](std::string_view name, const Options& options) {
                          return catalog.check_format(name, options);
                        }};
  const std::size_t before = problems.count();
  for (const ConfigNode& node : elements(root, kSource, problems)) {
    SourceConfig source;
    source.options = check_kind_table(node, table, problems);
    source.name = checked_name(node, source.options, names, title_of(kSource, node), problems);
    source.topic = text_or_empty(source.options, "topic");
    source.qos = static_cast<int>(source.options.integer("qos"));
    source.format = source.options.text("format");
    check_topic(node, source, catalog, out, problems);
    out.push_back(std::move(source));
  }
  if (out.empty() && problems.count() == before) {
    problems.add({}, "there is no [[source]], so nothing to watch",
                 "add: [[source]] and below it name = \"levels\" and topic = \"water/+/level\"");
  }
  return out;
}

std::vector<MonitorConfig> monitor_configs(const ConfigNode& root, const KindCatalog& catalog,
                                           const std::vector<SourceConfig>& sources,
                                           ProblemSink& problems) {
  std::vector<MonitorConfig> out;
  UniqueNames names{"monitors", problems};
  const auto kinds = catalog.monitors();
  const TableKind table{kMonitor, "kind", "", kinds,
                        [&](std::string_view name, const Options& options) {
                          return catalog.check_monitor(name, options);
                        }};
  for (const ConfigNode& node : elements(root, kMonitor, problems)) {
    MonitorConfig monitor;
    monitor.options = check_kind_table(node, table, problems);
    monitor.name = checked_name(node, monitor.options, names, title_of(kMonitor, node), problems);
    if (monitor.name == "sluice") {
      problems.add(place_of(node, "name"), "'name' must not be \"sluice\"",
                   "Sluice's own alerts have that name: choose another");
    }
    monitor.kind = text_or_empty(monitor.options, "kind");
    monitor.sources = texts_or_none(monitor.options, "sources");
    monitor.sensors = texts_or_none(monitor.options, "sensors");
    monitor.qos = static_cast<int>(monitor.options.integer("qos"));
    monitor.retain = monitor.options.boolean("retain");
    check_filters(node, monitor, sources, problems);
    out.push_back(std::move(monitor));
  }
  return out;
}

}  // namespace sluice::daemon
