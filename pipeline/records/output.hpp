// Output: what a monitor says. An alert is for people and must arrive; a value is for charts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pipeline/base/datum.hpp"
#include "pipeline/base/time.hpp"
#include "pipeline/records/reading.hpp"

namespace sluice {

enum class OutputKind : std::uint8_t { kAlert, kValue };

/// Where in its life an alarm is (ISA-18.2 words). `kEvent` is an alert without a life.
enum class AlarmState : std::uint8_t { kEvent, kPending, kActive, kCleared };

std::string_view to_string(AlarmState state);

/// One alert or derived value of one monitor for one sensor. The engine adds id and topic.
struct Output {
  OutputKind kind{OutputKind::kValue};
  std::string monitor;  ///< name of the `[[monitor]]`
  std::string sensor;
  Timestamp time{};  ///< event time of what caused it
  AlarmState state{AlarmState::kEvent};
  Datum value;                     ///< the level, the mean, the list of highest levels, …
  std::optional<double> limit;     ///< what was compared with, in alerts
  std::int64_t setting_version{};  ///< version of the setting the limit came from, 0 = the file's
  Quality quality{Quality::kGood};
  std::string text;  ///< one sentence for people; empty for values

  friend bool operator==(const Output&, const Output&) = default;
};

}  // namespace sluice
