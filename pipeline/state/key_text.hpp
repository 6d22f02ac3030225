// Hashing and comparing keys within one process. Most keys are short texts: for them both are done
// in words of eight bytes, inline.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

namespace sluice::detail {

inline std::uint64_t word_at(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// The last word of a text overlaps the one before; a text shorter than a word is one of its own.
inline std::uint64_t last_word(std::string_view text) {
  if (text.size() >= 8) return word_at(text.data() + text.size() - 8);
  std::uint64_t word = 0;
  if (!text.empty()) std::memcpy(&word, text.data(), text.size());
  return word;
}

inline std::uint64_t text_hash(std::string_view text) {
  constexpr std::uint64_t kSpread = 0xD6E8FEB86659FD93ULL;
  std::uint64_t hash = text.size() * kSpread;
  const auto take = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * kSpread;
    hash ^= hash >> 32;
  };
  for (std::size_t at = 0; at + 8 < text.size(); at += 8) take(word_at(text.data() + at));
  take(last_word(text));
  return hash;
}

inline bool same_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t at = 0; at + 8 < a.size(); at += 8) {
    if (word_at(a.data() + at) != word_at(b.data() + at)) return false;
  }
  return last_word(a) == last_word(b);
}

template <class K>
struct KeyHash {
  std::uint64_t operator()(const K& key) const {
    return static_cast<std::uint64_t>(std::hash<K>{}(key));
  }
};
template <>
struct KeyHash<std::string> {
  std::uint64_t operator()(const std::string& key) const { return text_hash(key); }
};

template <class K>
bool same_key(const K& a, const K& b) {
  return a == b;
}
inline bool same_key(const std::string& a, const std::string& b) { return same_text(a, b); }

}  // namespace sluice::detail
