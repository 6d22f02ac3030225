// Selectors: how a mapping says where in a message a value is. Parsed once, when the
// configuration is read; at run time only the parsed form is used.
//
//   /a/0/b        JSON Pointer (RFC 6901) from the item; "" is the item itself
//   root:/a       JSON Pointer from the document, inside an iteration
//   @N:/a         JSON Pointer from the item of the N-th `each`, counted from 0
//   key, key:N    member name (or array index) met by the innermost or the N-th `each`
//   topic:N       level of the topic, counted from 0; an empty first level counts
//   const:x       the text x
//   template:{topic:1}/x   texts and selectors in braces, joined
//   col:N, col:Header      column of a line, counted from 0, or by its header
//   payload       the whole payload as text
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/result.hpp"

namespace sluice::formats {

enum class SourceKind : std::uint8_t { kPointer, kKey, kTopic, kConst, kColumn, kPayload };

/// One place to take a value from.
struct Source {
  SourceKind kind{};
  /// kPointer: 0 = from the document, N = from the item of the N-th `each`, counted from 1.
  /// kKey: which `each`, counted from 1. kTopic: the level. kColumn: the number, unless `text`.
  std::size_t index{};
  std::vector<std::string> path;  ///< reference tokens of a kPointer, unescaped
  std::string text;               ///< kConst: the text; kColumn: the header, if one was named

  friend bool operator==(const Source&, const Source&) = default;
};

/// A parsed selector: one place, or (for a template) several whose words are joined.
struct Selector {
  std::string text;  ///< as the user wrote it, for messages
  std::vector<Source> parts;
  bool joined{};  ///< a template: the result is a text, whatever the parts are
};

/// Which selectors a format has.
struct SelectorRules {
  std::string_view format;  ///< its name, for messages
  bool pointers{};          ///< JSON Pointers, root:, @N:, key
  bool columns{};
  bool payload{};
  std::size_t iterations{};  ///< how many `each` there are
};

/// The error names the selector, what is wrong with it and what would be right.
Result<Selector> parse_selector(std::string_view text, const SelectorRules& rules);

/// "/a~1b/0" → {"a/b", "0"}; "" → {}. Fails if it does not begin with '/' or '~' is not followed
/// by 0 or 1.
Result<std::vector<std::string>> parse_pointer(std::string_view text);

}  // namespace sluice::formats
