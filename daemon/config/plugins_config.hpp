// `[plugins]`: which plugins a site wants. Read before the rest of the file, because the plugins
// bring the monitor kinds and formats that the rest is checked against.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/plugin/options.hpp"

namespace sluice::daemon {

/// Where plugins are unless the file says otherwise. It need not exist.
inline constexpr std::string_view kPluginDir = "/usr/lib/sluice/plugins";

struct PluginsConfig {
  std::vector<std::string> load;  ///< absolute paths
  std::string dir{kPluginDir};    ///< of which each *.so is loaded, by name; empty: none
};

/// The table's checked options as a struct.
PluginsConfig plugins_config(const Options& options);

/// Only that table of a file. Where it cannot be read, what holds without it: load_config() says
/// what is wrong. Never throws, whatever is in the file.
PluginsConfig plugins_of(const std::string& path);
/// The same for a text.
PluginsConfig plugins_of_text(std::string text);

}  // namespace sluice::daemon
