// The stream graph of a site: a source for each [[source]], a branch for each [[monitor]].
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "daemon/config/config.hpp"
#include "pipeline/base/result.hpp"
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

/// Which monitor an operator works for, by what OperatorFailure calls it: its uid, or the name of
/// one without.
using MonitorsOfOperators = std::map<std::string, std::string>;

/// Adds everything to `environment`. `late` counts readings behind the watermark; `emit` gets each
/// output with its monitor's configuration; all references outlive the job. The configuration has
/// been checked against the registry. Operators without uid are named after their monitor. Fails
/// where a kind throws, or its operators have no uid, or one that is another's; the message names
/// monitor and kind.
Result<MonitorsOfOperators> build_site_graph(
    Environment& environment, const Config& config, const Registry& registry,
    const SkippedMonitors& skipped, std::uint64_t& late,
    std::function<void(const MonitorConfig&, const Output&)> emit);

}  // namespace sluice::daemon
