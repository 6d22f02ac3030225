// Gap watch: the branch of the site's graph that looks for readings which a sensor has sent, by its
// own count, and which never came.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "daemon/config/config.hpp"
#include "pipeline/graph/environment.hpp"

namespace sluice::daemon {

/// What a message says about itself.
struct SequenceNumber {
  std::string sensor;
  std::int64_t number{};
};

/// Numbers in a row that never came, both ends included.
struct Gap {
  std::string source;
  std::string sensor;
  std::int64_t from{};
  std::int64_t to{};
};

/// Whether the file says where messages of this source have their number.
bool is_numbered(const SourceConfig& source);

/// Name of the job's source.
std::string numbers_source(const std::string& source);

/// Adds a branch for each numbered source. What it keeps is in the checkpoint like any state, so a
/// restart neither forgets a gap nor finds it twice. `found` is called while the job runs.
void build_gap_watch(Environment& environment, const Config& config,
                     std::function<void(const Gap&)> found);

}  // namespace sluice::daemon
