// Loads plugins: shared objects with a `sluice_plugin` entry (pipeline/plugin/descriptor.hpp).
//
// Once at start, before there are threads. Whatever was loaded stays mapped until the process ends,
// even if it was refused: there is no safe moment to unload C++ code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/plugins_config.hpp"
#include "daemon/plugin_file.hpp"
#include "pipeline/base/log.hpp"
#include "pipeline/base/result.hpp"
#include "pipeline/plugin/registry.hpp"

namespace sluice::daemon {

struct LoadedPlugin {
  std::string path;  ///< without symbolic links
  std::string name;
  std::string version;
};

/// What came of it. A plugin that is refused changes nothing for the others.
struct PluginReport {
  std::vector<LoadedPlugin> loaded;  ///< in the order of loading: that of `load`, then of `dir`
  /// Each message names the path, what was found, what would be right, and the cure.
  std::vector<Error> refused;
};

/// Loads all plugins and has them contribute to `registry`; each is a line in `log`. A file that is
/// named twice is loaded once.
PluginReport load_plugins(const PluginsConfig& config, const PluginTrust& trust, Registry& registry,
                          Log& log);

}  // namespace sluice::daemon
