// How a script is run: in one go, cut by snapshot and restore, with other parallelism.
#pragma once

#include <optional>
#include <vector>

#include "pipeline/state/ttl.hpp"
#include "tests/property/everything.hpp"
#include "tests/property/script.hpp"

namespace sluice::property {

enum class Cut : std::uint8_t {
  kNever,
  kFull,         ///< a full snapshot and a restore after every step
  kIncremental,  ///< changes only, added up; restored from their sum
};

struct RunOptions {
  Cut cut{Cut::kNever};
  std::uint32_t parallelism{1};
  /// With a cut: the parallelism after each restore, in turn. Empty: unchanged.
  std::vector<std::uint32_t> rescale_to{};
  std::optional<TtlConfig> ttl{};
};

/// The reports, one list for each step.
std::vector<std::vector<Report>> run(const Script& script, const RunOptions& options);

}  // namespace sluice::property
