#include "pipeline/base/text.hpp"

namespace sluice {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool glob_matches(std::string_view pattern, std::string_view text, QuestionMark question) {
  // The classic two-pointer walk: on a mismatch, only the last '*' needs to take one byte more.
  const bool any = question == QuestionMark::kAnyByte;
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_took = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_took = t;
    } else if (p < pattern.size() && (pattern[p] == text[t] || (any && pattern[p] == '?'))) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_took;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName &&
         name.find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
             "0123456789_.-") == std::string_view::npos;
}

}  // namespace sluice
