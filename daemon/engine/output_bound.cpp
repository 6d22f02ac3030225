#include "daemon/engine/output_bound.hpp"

#include <stdexcept>

#include "pipeline/base/log.hpp"

namespace sluice::daemon {

void OutputBound::count(std::uint64_t record, const std::string& monitor,
                        const std::string& sensor) {
  Run& run = runs_[monitor];
  if (run.record != record || run.sensor != sensor) run = {record, sensor, 0};
  if (++run.outputs <= kMostOutputs) return;
  throw std::length_error{"it made more than " + std::to_string(kMostOutputs) +
                          " outputs about sensor '" + printable(sensor) +
                          "' at once: say less, or put what belongs together into one value"};
}

void OutputBound::check(const Publication& publication) {
  if (publication.payload.size() <= kMostBytes) return;
  throw std::length_error{"an output of " + std::to_string(publication.payload.size()) +
                          " bytes is more than the " + std::to_string(kMostBytes) +
                          " that one may have: shorten its text or value"};
}

}  // namespace sluice::daemon
