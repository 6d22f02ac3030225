// Numbers in sentences for people, and comparisons that agree with what these sentences say.
//
// Levels are decimal numbers kept in binary: 1.3 − 1.2 is 0.10000000000000009 in a double. Nobody
// wants to read that, nor an alarm that says "rose by 0.1 (limit 0.1)". Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>

namespace sluice::water {

/// The shortest text that gives the same 12 digits: 131, 12.4, 0.003, 1e+21.
std::string number_text(double value);

/// A difference of numbers as large as `magnitude`: digits that such numbers cannot have are left
/// out, so 1000000.3 − 1000000.2 is 0.1. Never "inf": beyond all doubles is the largest of them.
std::string difference_text(double difference, double magnitude);

/// "12.4 cm"; without unit just "12.4". The unit comes from outside and is made safe for a line.
std::string with_unit(std::string number, std::string_view unit);
std::string amount_text(double value, std::string_view unit);

/// Strictly greater, by more than what rounding alone can do to the difference of two numbers as
/// large as `magnitude`.
bool exceeds(double difference, double limit, double magnitude);

}  // namespace sluice::water
