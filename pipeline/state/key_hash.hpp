// Flink's key groups: which subtask of an operator owns a key (KS-08).
//
// The hash codes are Java's, so that state moves between subtasks exactly as there.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice {

namespace detail {
/// java.lang.String.hashCode() of UTF-8 text (over UTF-16 code units; bytes that are not UTF-8
/// count as one unit each).
std::int32_t java_string_hash(std::string_view utf8);
}  // namespace detail

template <std::integral T>
std::int32_t java_hash(T value) {
  if constexpr (std::same_as<T, bool>) return value ? 1231 : 1237;
  if constexpr (sizeof(T) <= 4) return static_cast<std::int32_t>(value);
  const auto bits = static_cast<std::uint64_t>(value);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits ^ (bits >> 32)));
}

inline std::int32_t java_hash(double value) {
  return java_hash(std::bit_cast<std::int64_t>(value == 0.0 ? 0.0 : value));
}

inline std::int32_t java_hash(std::string_view value) { return detail::java_string_hash(value); }

/// Spreads a hash code over `max_parallelism` groups.
std::uint32_t key_group_of(std::int32_t hash_code, std::uint32_t max_parallelism);
/// The subtask that owns a group.
std::uint32_t subtask_of(std::uint32_t key_group, std::uint32_t parallelism,
                         std::uint32_t max_parallelism);
/// Flink's default for a parallelism: min(max(next power of two of 1.5 p, 128), 32768).
std::uint32_t default_max_parallelism(std::uint32_t parallelism);

}  // namespace sluice
