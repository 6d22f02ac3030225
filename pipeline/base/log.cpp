#include "pipeline/base/log.hpp"

#include <algorithm>
#include <cstdint>

#include "pipeline/base/utf8.hpp"

namespace sluice {

namespace {

/// C1 controls are UTF-8, but move a terminal's cursor as well as C0 ones do.
bool is_control(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(character[i]); };
  if (character.size() == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
  return byte(0) < 0x20 || byte(0) == 0x7F;
}

void append_escaped(std::string& out, std::uint8_t byte) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += "\\x";
  out += kHex[byte >> 4];
  out += kHex[byte & 15];
}

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    if (out.size() >= limit) return out + "…";
    const char first = text[at];
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0 || is_control(text.substr(at, length)) || first == '"' || first == '\\') {
      append_escaped(out, static_cast<std::uint8_t>(first));
      at += 1;
    } else {
      out.append(text, at, length);
      at += length;
    }
  }
  return out;
}

std::string excerpt(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string{text};
  std::size_t end = 0;
  while (end < limit) {
    const std::size_t next = end + std::max<std::size_t>(utf8_length(text.substr(end)), 1);
    if (next > limit) break;
    end = next;
  }
  return std::string{text.substr(0, end)} + "…";
}

}  // namespace sluice
