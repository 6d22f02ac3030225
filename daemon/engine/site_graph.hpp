// The stream graph of a site: a source for each [[source]], a branch for each [[monitor]].
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "daemon/config/config.hpp"
#include "pipeline/graph/environment.hpp"
#include "pipeline/plugin/registry.hpp"
#include "pipeline/records/output.hpp"

namespace sluice::daemon {

/// Which monitors must not see the message at hand: they failed on it before (design, section 10).
class SkippedMonitors {
 public:
  void now(const std::set<std::string>* skipped) { skipped_ = skipped; }
  bool contains(const std::string& monitor) const {
    return skipped_ != nullptr && skipped_->contains(monitor);
  }

 private:
  const std::set<std::string>* skipped_{};
};

/// Names of the job's sources.
std::string readings_source(const std::string& source);
std::string settings_source(const std::string& monitor);

/// Adds everything to `environment`. `late` counts readings behind the watermark; `emit` gets each
/// output with its monitor's configuration; all references outlive the job. The configuration has
/// been checked against the registry.
void build_site_graph(Environment& environment, const Config& config, const Registry& registry,
                      const SkippedMonitors& skipped, std::uint64_t& late,
                      std::function<void(const MonitorConfig&, const Output&)> emit);

}  // namespace sluice::daemon
