// The payload formats that come with Sluice. Immutable objects of static life, any thread.
//
// All formats share one mapping vocabulary (mapping_options.hpp): where sensor, level and time
// are found, and what to make of them. A format only adds how its bytes are taken apart.
#pragma once

#include "pipeline/plugin/format.hpp"

namespace sluice::formats {

/// JSON documents; values are found by JSON Pointer, batches by iterating arrays and objects.
const Format& json_format();

/// One bare number as the whole payload, with or without white space and quotes around it.
const Format& text_format();

/// Separated values, one item a line, with or without a header line in each payload.
const Format& csv_format();

}  // namespace sluice::formats
