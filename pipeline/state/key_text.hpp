// Hashing and comparing keys within one process. Most keys are short texts: for them both are done
// in words of eight bytes, inline.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "pipeline/state/fields.hpp"

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
concept HashedByStd = requires(const K& key) {
  { std::hash<K>{}(key) } -> std::convertible_to<std::size_t>;
};

/// Without operator(): what has no hash. pair, tuple and structs with SLUICE_FIELDS have one if
/// their parts do; a std::hash of one's own goes before.
template <class K>
struct KeyHash {};

template <class K>
concept Hashable = requires(const K& key) {
  { KeyHash<K>{}(key) } -> std::same_as<std::uint64_t>;
};

/// The hash of what comes before, and of one part more.
inline std::uint64_t mixed_hash(std::uint64_t before, std::uint64_t part) {
  constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15ULL;
  const std::uint64_t mixed = (before ^ part) * kSpread;
  return mixed ^ (mixed >> 32);
}

template <HashedByStd K>
struct KeyHash<K> {
  std::uint64_t operator()(const K& key) const {
    return static_cast<std::uint64_t>(std::hash<K>{}(key));
  }
};
template <>
struct KeyHash<std::string> {
  std::uint64_t operator()(const std::string& key) const { return text_hash(key); }
};
template <class... Parts>
requires(Hashable<Parts>&&...) struct KeyHash<std::tuple<Parts...>> {
  std::uint64_t operator()(const std::tuple<Parts...>& key) const {
    std::uint64_t hash = sizeof...(Parts);
    std::apply(
        [&](const Parts&... part) { ((hash = mixed_hash(hash, KeyHash<Parts>{}(part))), ...); },
        key);
    return hash;
  }
};
template <Hashable A, Hashable B>
struct KeyHash<std::pair<A, B>> {
  std::uint64_t operator()(const std::pair<A, B>& key) const {
    return mixed_hash(mixed_hash(2, KeyHash<A>{}(key.first)), KeyHash<B>{}(key.second));
  }
};
template <HasFields K>
requires(!HashedByStd<K>) struct KeyHash<K> {
  std::uint64_t operator()(const K& key) const {
    std::uint64_t hash = 0;
    visit_fields<K>([&](std::string_view, auto member) {
      using Member = MemberType<decltype(member)>;
      static_assert(Hashable<Member>,
                    "every field of a key must be one that could be a key itself");
      hash = mixed_hash(hash, KeyHash<Member>{}(key.*member));
    });
    return hash;
  }
};

template <class K>
bool same_key(const K& a, const K& b) {
  return a == b;
}
inline bool same_key(const std::string& a, const std::string& b) { return same_text(a, b); }

}  // namespace sluice::detail
