// The repeated tables of a configuration file: `[[source]]` and `[[monitor]]`.
#pragma once

#include <vector>

#include "daemon/config/catalog.hpp"
#include "daemon/config/check.hpp"
#include "daemon/config/config.hpp"
#include "daemon/config/config_node.hpp"

namespace sluice::daemon {

/// All sources of the file; those with problems may lack options.
std::vector<SourceConfig> source_configs(const ConfigNode& root, const KindCatalog& catalog,
                                         ProblemSink& problems);

/// All monitors of the file; `sources` are those that they may name.
std::vector<MonitorConfig> monitor_configs(const ConfigNode& root, const KindCatalog& catalog,
                                           const std::vector<SourceConfig>& sources,
                                           ProblemSink& problems);

}  // namespace sluice::daemon
