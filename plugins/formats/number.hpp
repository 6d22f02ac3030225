// Numbers as devices write them: one strict reading, independent of the process locale.
#pragma once

#include <optional>
#include <string_view>

#include "pipeline/plugin/format.hpp"

namespace sluice::formats {

/// What was read: a finite number, or why there is none.
struct NumberOrReason {
  std::optional<double> number;
  RejectReason reason{};  ///< only without number: kMissingLevel, kNotANumber or kNotFinite
};

/// Decimal numbers with optional sign, fraction and exponent, white space around them ignored:
/// "12.5", "+3", ".5", "0512.3020", "4.12e-1". All of the text must be the number. The nearest
/// double is returned, as strtod would; too small for a double is zero.
///
/// With `decimal_comma` the comma takes the point's place, and a point is refused: who writes
/// commas may mean thousands by it.
NumberOrReason parse_number(std::string_view text, bool decimal_comma = false);

}  // namespace sluice::formats
