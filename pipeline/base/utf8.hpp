// What is well-formed UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF. NUL and the
// control characters are well-formed; who does not want them looks for them.
#pragma once

#include <cstddef>
#include <string_view>

namespace sluice {

/// Bytes of the character at the start of `text`, 1 to 4; 0 if there is none, or it is malformed or
/// cut off.
std::size_t utf8_length(std::string_view text);

/// True if all of `text` is well-formed; so is the empty text.
bool is_utf8(std::string_view text);

}  // namespace sluice
