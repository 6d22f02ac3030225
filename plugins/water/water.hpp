// The monitor kinds that come with Sluice. Immutable objects of static life, any thread.
//
// docs/monitors.md says what each one does and has an example of each.
#pragma once

#include <span>

#include "pipeline/plugin/monitor.hpp"

namespace sluice::water {

/// All of them, in the order in which the configuration reference lists them.
std::span<const MonitorKind* const> water_monitors();

}  // namespace sluice::water
