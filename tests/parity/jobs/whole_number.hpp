// Texts of whole numbers, as Java's Integer.parseInt and Long.parseLong read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::parity {

/// A sign at most and then digits, of any script that Unicode has in its basic plane, and nothing
/// else; nothing where the text is not so, or the number does not fit.
std::optional<std::int32_t> parse_int(std::string_view utf8);
std::optional<std::int64_t> parse_long(std::string_view utf8);

}  // namespace sluice::parity
