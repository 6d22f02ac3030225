// A script run over sources with watermark strategies of their own: what is late, and when windows
// fire, is seen; and a cut must not change it where event time is kept in snapshots.
#pragma once

#include "tests/property/runs.hpp"

namespace sluice::property {

/// Elements come from two sources, one of which is often idle; steps that would be watermarks move
/// the clock on. Reports the watermark that each element meets, window results and late elements.
std::vector<std::vector<Report>> timed_run(const Script& script, Cut cut);

}  // namespace sluice::property
