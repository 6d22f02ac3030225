// One function for each kind, each in the source of that name. For water.cpp only.
#pragma once

#include "pipeline/plugin/monitor.hpp"

namespace sluice::water {

const MonitorKind& average_kind();
const MonitorKind& count_kind();
const MonitorKind& delta_kind();
const MonitorKind& last_kind();
const MonitorKind& silence_kind();
const MonitorKind& spike_kind();
const MonitorKind& sum_kind();
const MonitorKind& threshold_kind();
const MonitorKind& top_kind();
const MonitorKind& total_kind();

}  // namespace sluice::water
