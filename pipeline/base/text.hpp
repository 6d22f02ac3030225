// Small questions about text that several parts ask. Pure functions, any thread; no locale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice {

/// ASCII white space.
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Without ASCII white space at both ends.
std::string_view trimmed(std::string_view text);

/// What '?' stands for in a pattern.
enum class QuestionMark : std::uint8_t { kItself, kAnyByte };

/// True if `text` fits `pattern`, where '*' stands for any run of bytes. Linear in practice: time
/// is bounded by the product of the lengths.
bool glob_matches(std::string_view pattern, std::string_view text,
                  QuestionMark question = QuestionMark::kItself);

/// Names that a user gives become topic levels, metric labels and folder names.
constexpr std::size_t kLongestName = 64;

/// True if `name` is 1 to 64 of A-Z a-z 0-9 _ . -
bool is_plain_name(std::string_view name);

}  // namespace sluice
