#include "daemon/config/plugins_config.hpp"

#include "daemon/config/check.hpp"
#include "daemon/config/sections.hpp"
#include "daemon/config/toml_reader.hpp"

namespace sluice::daemon {

PluginsConfig plugins_config(const Options& options) {
  PluginsConfig out;
  if (options.has("load")) out.load = options.texts("load");
  out.dir = options.text("dir");
  return out;
}

namespace {

PluginsConfig plugins_in(const TomlFile& file) {
  const ConfigEntry* entry = file.parsed ? file.root.find(kPlugins.name) : nullptr;
  if (entry == nullptr || entry->value.table() == nullptr) return {};
  Problems problems;
  ProblemSink sink{{}, problems};
  PluginsConfig out =
      plugins_config(check_table(entry->value, header_of(kPlugins), kPlugins.options, sink));
  // A file with a mistake in this table is refused as a whole a moment later; until then no code
  // is loaded on its word.
  return problems.empty() ? out : PluginsConfig{};
}

}  // namespace

PluginsConfig plugins_of(const std::string& path) { return plugins_in(read_toml_file(path)); }

PluginsConfig plugins_of_text(std::string text) {
  return plugins_in(read_toml_text(std::move(text), {}));
}

}  // namespace sluice::daemon
