// Doubles as the documents print them: "1.0", "1.5", "1.0E8".
#pragma once

#include <string>

namespace sluice::parity {

/// As few digits as tell the number apart, at least one behind the point; from 1e7 on and below
/// 1e-3 with an exponent (JOB-05); "NaN", "Infinity" and "-Infinity" for what is no number.
std::string double_text(double value);

}  // namespace sluice::parity
