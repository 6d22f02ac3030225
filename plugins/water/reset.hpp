// Beginning anew while the daemon runs: for kinds whose state is "so far", which one absurd level
// can spoil for ever. On the config topic: {"reset": true}, for one sensor or for all.
#pragma once

#include <string>

#include "pipeline/base/datum.hpp"
#include "pipeline/base/result.hpp"
#include "pipeline/functions/broadcast_process_functions.hpp"
#include "pipeline/records/setting.hpp"

namespace sluice::water {

/// Accepts {"reset": true} only; the error is for the sender.
Result<Datum> check_reset_setting(const Datum& value);

/// Clears the keyed state of that descriptor for the sensor that the setting is for, or for all.
template <class Context, class Descriptor>
void reset_if_told(const Setting& setting, Context& context, const Descriptor& descriptor) {
  if (!is_reset(setting)) return;
  context.apply_to_keyed_state(descriptor, [&](const std::string& sensor, auto state) {
    if (setting.sensor.empty() || setting.sensor == sensor) state.clear();
  });
}

}  // namespace sluice::water
