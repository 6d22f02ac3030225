// Kinds: every format and monitor kind there is for a site: those linked in, and its plugins.
#pragma once

#include <memory>
#include <string>

#include "daemon/plugin_loader.hpp"
#include "daemon/registry_catalog.hpp"
#include "pipeline/base/log.hpp"
#include "pipeline/plugin/registry.hpp"

namespace sluice::daemon {

/// Made once at start, before there are threads; then only read.
struct Kinds {
  Registry registry;
  std::unique_ptr<RegistryCatalog> catalog;  ///< of `registry`
  PluginReport plugins;
};

/// What is linked in, and what the `[plugins]` table of the file loads. Refused plugins are in the
/// report and logged; the rest works without them.
std::unique_ptr<Kinds> load_kinds(const std::string& config_path, Log& log);

}  // namespace sluice::daemon
