#include "daemon/config/toml_shape.hpp"

#include <algorithm>

#include "pipeline/base/utf8.hpp"

namespace sluice::daemon {

std::size_t skip_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
  const bool long_form = text.substr(at, 3) == triple;
  std::size_t i = at + (long_form ? 3 : 1);
  while (i < text.size()) {
    if (quote == '"' && text[i] == '\\') {
      i += 2;
    } else if (long_form && text.substr(i, 3) == triple) {
      i += 3;
      // Up to two more quotes belong to the text itself.
      while (i < text.size() && text[i] == quote) ++i;
      return i;
    } else if (!long_form && (text[i] == quote || text[i] == '\n')) {
      return i + 1;
    } else {
      ++i;
    }
  }
  return text.size();
}

namespace {

/// Follows brackets and the dots of dotted keys, both of which cost the parser stack.
class ShapeCheck {
 public:
  explicit ShapeCheck(std::string_view text) : text_{text} {}

  std::optional<Problem> run() {
    if (auto problem = check_lines()) return problem;
    for (std::size_t i = 0; i < text_.size();) {
      const char c = text_[i];
      if (c == '"' || c == '\'') {
        i = skip_string(text_, i);
        continue;
      }
      if (c == '#') {
        i = std::min(text_.find('\n', i), text_.size());
        continue;
      }
      step(c);
      if (depth_ > kMaxConfigDepth || dots_ > kMaxConfigDepth) return too_deep(i);
      ++i;
    }
    return std::nullopt;
  }

 private:
  void step(char c) {
    if (c == '[' || c == '{') ++depth_;
    if ((c == ']' || c == '}') && depth_ > 0) --depth_;
    if (c == '.') ++dots_;
    if (c == '=' || c == ',' || c == '[' || c == '{' || c == '\n') dots_ = 0;
  }

  std::optional<Problem> check_lines() const {
    std::size_t line = 1;
    for (std::size_t start = 0; start < text_.size(); ++line) {
      const std::size_t end = std::min(text_.find('\n', start), text_.size());
      if (end - start > kMaxConfigLine) {
        return Problem{{},
                       {line, 1, 1},
                       "this line is longer than " + std::to_string(kMaxConfigLine) + " bytes",
                       "break lists over several lines"};
      }
      if (auto problem = check_bytes(text_.substr(start, end - start), line)) return problem;
      start = end + 1;
    }
    return std::nullopt;
  }

  static std::optional<Problem> check_bytes(std::string_view line, std::size_t number) {
    for (std::size_t i = 0; i < line.size();) {
      if (line[i] == '\0') {
        return Problem{{}, {number, i + 1, 1}, "a NUL byte: this is not a text file", {}};
      }
      const std::size_t length = utf8_length(line.substr(i));
      if (length == 0) return not_utf8(number, i);
      i += length;
    }
    return std::nullopt;
  }

  static Problem not_utf8(std::size_t line, std::size_t offset) {
    return {{},
            {line, offset + 1, 1},
            "this byte is not UTF-8",
            "save the file as UTF-8, for example with: iconv -f latin1 -t utf-8"};
  }

  Problem too_deep(std::size_t offset) const {
    Position at{1, 1, 1};
    for (std::size_t i = 0; i < offset; ++i) {
      at.column = text_[i] == '\n' ? 1 : at.column + 1;
      if (text_[i] == '\n') ++at.line;
    }
    return {{}, at, "nested more than " + std::to_string(kMaxConfigDepth) + " levels deep", {}};
  }

  std::string_view text_;
  std::size_t depth_{0};
  std::size_t dots_{0};
};

}  // namespace

std::optional<Problem> check_shape(std::string_view text) { return ShapeCheck{text}.run(); }

}  // namespace sluice::daemon
