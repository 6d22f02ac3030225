// What all kinds put into an Output, in one place. Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "pipeline/base/log.hpp"
#include "pipeline/records/output.hpp"
#include "pipeline/records/reading.hpp"

namespace sluice::water {

/// A derived value because of `reading`.
inline Output value_output(const std::string& monitor, const Reading& reading, Datum value) {
  return {.kind = OutputKind::kValue,
          .monitor = monitor,
          .sensor = reading.sensor,
          .time = reading.time,
          .state = AlarmState::kEvent,
          .value = std::move(value),
          .limit = std::nullopt,
          .setting_version = 0,
          .quality = reading.quality,
          .text = {}};
}

/// An alert because of `reading`; its value is the level. `text` goes on after the sensor's name.
inline Output alert_output(const std::string& monitor, const Reading& reading, AlarmState state,
                           std::optional<double> limit, const std::string& text) {
  Output out = value_output(monitor, reading, Datum{reading.level});
  out.kind = OutputKind::kAlert;
  out.state = state;
  out.limit = limit;
  out.text = printable(reading.sensor) + " " + text;
  return out;
}

}  // namespace sluice::water
