// Texts of numbers with a fraction, as Java's Double.parseDouble reads them, hexadecimal ones
// aside.
#pragma once

#include <optional>
#include <string>

namespace sluice::parity {

/// Without what Java's trim() takes off: white space and control characters at both ends.
std::string trimmed(const std::string& text);

/// Nothing if the trimmed text is no number.
std::optional<double> parse_double(const std::string& text);

}  // namespace sluice::parity
