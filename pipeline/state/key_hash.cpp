#include "pipeline/state/key_hash.hpp"

#include <algorithm>

#include "pipeline/base/utf8.hpp"

namespace sluice {

namespace {

/// Decodes one character; on malformed input takes a single byte as it is.
std::uint32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[at + i]); };
  const std::size_t length = std::max<std::size_t>(utf8_length(text.substr(at)), 1);
  std::uint32_t code = length == 1 ? byte(0) : byte(0) & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) code = (code << 6) | (byte(i) & 0x3FU);
  at += length;
  return code;
}

std::uint32_t rotate_multiply(std::uint32_t code) {
  code *= 0xcc9e2d51U;
  code = std::rotl(code, 15);
  return code * 0x1b873593U;
}

}  // namespace

std::int32_t detail::java_string_hash(std::string_view utf8) {
  std::uint32_t hash = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    const std::uint32_t code = next_code_point(utf8, at);
    if (code >= 0x10000) {  // a surrogate pair in UTF-16
      hash = 31 * hash + (0xD800U + ((code - 0x10000) >> 10));
      hash = 31 * hash + (0xDC00U + ((code - 0x10000) & 0x3FFU));
    } else {
      hash = 31 * hash + code;
    }
  }
  return static_cast<std::int32_t>(hash);
}

// MurmurHash3's mixing of one 32-bit word, as KS-08 names it.
std::uint32_t key_group_of(std::int32_t hash_code, std::uint32_t max_parallelism) {
  std::uint32_t code = rotate_multiply(static_cast<std::uint32_t>(hash_code));
  code = std::rotl(code, 13);
  code = code * 5 + 0xe6546b64U;
  code ^= 4U;
  code ^= code >> 16;
  code *= 0x85ebca6bU;
  code ^= code >> 13;
  code *= 0xc2b2ae35U;
  code ^= code >> 16;
  const auto number = static_cast<std::int32_t>(code);
  if (number == INT32_MIN) return 0;
  return static_cast<std::uint32_t>(number >= 0 ? number : -number) % max_parallelism;
}

std::uint32_t subtask_of(std::uint32_t key_group, std::uint32_t parallelism,
                         std::uint32_t max_parallelism) {
  return key_group * parallelism / max_parallelism;
}

std::uint32_t default_max_parallelism(std::uint32_t parallelism) {
  const std::uint32_t wanted = std::bit_ceil(parallelism + parallelism / 2);
  return std::min(std::max(wanted, 128U), 32768U);
}

}  // namespace sluice
