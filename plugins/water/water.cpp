#include "plugins/water/water.hpp"

#include <array>

#include "plugins/water/kinds.hpp"

namespace sluice::water {

std::span<const MonitorKind* const> water_monitors() {
  static const std::array<const MonitorKind*, 10> kinds{
      &delta_kind(),   &threshold_kind(), &spike_kind(), &silence_kind(), &last_kind(),
      &average_kind(), &top_kind(),       &count_kind(), &sum_kind(),     &total_kind()};
  return kinds;
}

}  // namespace sluice::water
