#include "plugins/formats/bytes.hpp"

namespace sluice::formats {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view without_accidents(std::string_view payload) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (payload.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    payload.remove_prefix(kByteOrderMark.size());
  }
  while (!payload.empty() && (payload.back() == '\0' || is_space(payload.back()))) {
    payload.remove_suffix(1);
  }
  return payload;
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  // The classic two-pointer walk: on a mismatch, only the last '*' needs to take one byte more.
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_took = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_took = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
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

}  // namespace sluice::formats
