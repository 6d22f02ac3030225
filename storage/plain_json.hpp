// The quick way for most stored values: JSON as datum_to_json() writes it where nothing is special.
#pragma once

#include <optional>
#include <string_view>

#include "pipeline/base/datum.hpp"

namespace sluice::storage {

/// The Datum, if `json` has no spaces, no escapes, only ASCII texts, and no member whose name
/// begins with $. Nothing for anything else, damage too: then the general reader is to be asked.
std::optional<Datum> read_plain_json(std::string_view json);

}  // namespace sluice::storage
