// An upper and a lower limit: in the file, and as a setting from the config topic changes them.
#pragma once

#include <cstdint>
#include <optional>

#include "pipeline/base/datum.hpp"
#include "pipeline/base/result.hpp"
#include "pipeline/plugin/options.hpp"
#include "pipeline/records/setting.hpp"
#include "pipeline/state/fields.hpp"

namespace sluice::water {

/// Either side may be missing.
struct Limits {
  std::optional<double> above;
  std::optional<double> below;
};

/// From the options 'above' and 'below'.
Limits limits_of(const Options& options);

/// Fails if no level is between the two; the message names both options.
Status check_limits(const Limits& limits);

/// What a setting changes; a missing side is not changed. Kept in broadcast state.
struct LimitSetting {
  std::int64_t version{};
  std::optional<double> above;
  std::optional<double> below;
};
SLUICE_FIELDS(LimitSetting, version, above, below)

/// Checks a setting as it was sent: a number (the side that the file has, 'above' if it has none),
/// a struct of "above", "below" and "limit" (the same as a bare number), or null. Gives a struct
/// with the sides that are set, or null if that is none of them. The error is for the sender.
Result<Datum> check_limit_setting(const Datum& value, const Limits& file);

/// From the form that check_limit_setting gives.
LimitSetting to_limit_setting(const Setting& setting);

}  // namespace sluice::water
