#include "pipeline/state/key_hash.hpp"

#include <algorithm>

namespace sluice {

namespace {

/// Decodes one character; on malformed input takes a single byte as it is.
std::uint32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(at);
  const int extra = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  if (extra == 0 || at + static_cast<std::size_t>(extra) >= text.size()) {
    ++at;
    return first;
  }
  std::uint32_t code = first & (0x3FU >> extra);
  for (int i = 1; i <= extra; ++i) {
    const std::uint8_t next = byte(at + static_cast<std::size_t>(i));
    if ((next & 0xC0) != 0x80) {
      ++at;
      return first;
    }
    code = (code << 6) | (next & 0x3FU);
  }
  at += static_cast<std::size_t>(extra) + 1;
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
