// A monitor kind that breaks the rules for kinds, each `how` another one.
#pragma once

#include "pipeline/plugin/monitor.hpp"

namespace sluice::daemon {

/// "misfit": the option `how` says which rule. Without it, it passes on each level as a value; at a
/// level of 666 what `how` says happens, if it is something that happens while it runs.
const MonitorKind& misfit();

}  // namespace sluice::daemon
