#include "daemon/config/syntax_advice.hpp"

#include <charconv>
#include <optional>
#include <system_error>

#include "daemon/config/toml_shape.hpp"
#include "pipeline/base/log.hpp"
#include "pipeline/base/text.hpp"

namespace sluice::daemon {

namespace {

struct Advice {
  std::size_t offset{};  ///< into the line
  std::size_t length{1};
  std::string message;
  std::string hint;
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// "[error] toml::parse_key: an invalid key appeared." and what follows → "an invalid key appeared"
std::string cleaned(std::string_view says) {
  says = says.substr(0, says.find('\n'));
  constexpr std::string_view kTag = "[error] ";
  if (says.substr(0, kTag.size()) == kTag) says.remove_prefix(kTag.size());
  if (says.substr(0, 6) == "toml::") {
    const std::size_t colon = says.find(": ");
    if (colon != std::string_view::npos) says.remove_prefix(colon + 2);
  }
  while (!says.empty() && says.back() == '.') says.remove_suffix(1);
  return "not valid TOML: " + printable(says, 160);
}

/// One line of the file, taken apart as far as a line can be on its own.
struct Line {
  std::string_view text;
  std::string_view key;    ///< left of '=', or the whole line
  std::string_view value;  ///< right of '='
  bool has_equals{};

  std::size_t offset_of(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - text.data());
  }
};

Line take_apart(std::string_view text) {
  Line line;
  line.text = text;
  const std::size_t equals = text.find('=');
  line.has_equals = equals != std::string_view::npos;
  line.key = trimmed(text.substr(0, equals));
  if (line.has_equals) line.value = trimmed(text.substr(equals + 1));
  return line;
}

std::optional<Advice> twice(const Line& line, std::string_view says) {
  if (!contains(says, "already exists") && !contains(says, "already defined")) return std::nullopt;
  if (line.key.empty()) return std::nullopt;
  const std::string name = printable(line.key);
  if (line.key.front() == '[') {
    return Advice{line.offset_of(line.key), line.key.size(), "table " + name + " is there twice",
                  "put its options under one header; only [[source]] and [[monitor]] repeat"};
  }
  return Advice{line.offset_of(line.key), line.key.size(), "'" + name + "' is set twice",
                "remove one of the two"};
}

std::optional<Advice> open_header(const Line& line) {
  if (line.key.empty() || line.key.front() != '[') return std::nullopt;
  const bool element = line.key.substr(0, 2) == "[[";
  if (contains(line.key, element ? "]]" : "]")) return std::nullopt;
  return Advice{line.offset_of(line.key),
                line.key.size(),
                std::string{"the closing "} + (element ? "]]" : "]") + " of this header is missing",
                {}};
}

std::optional<Advice> bad_string(const Line& line) {
  const std::size_t start = line.offset_of(line.value);
  const std::size_t end = skip_string(line.text, start);
  const char quote = line.value.front();
  const std::string_view body = line.text.substr(start, end - start);
  if (body.size() < 2 || body.back() != quote) {
    return Advice{start, body.size(), "the closing quote is missing", {}};
  }
  if (quote == '"' && contains(body, "\\")) {
    return Advice{start, body.size(), "this text has a \\ before a character that it does not fit",
                  "write \\\\ for each, or put the text in 'single quotes'"};
  }
  return std::nullopt;
}

/// True of what is written like a number, but is beyond what a double can hold.
bool fits_no_double(std::string_view word) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  if (contains(word, "e-") || contains(word, "E-")) return false;  // too close to 0, if at all
  double ignored = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), ignored);
  return error == std::errc::result_out_of_range && end == word.data() + word.size();
}

std::optional<Advice> bare_word(const Line& line) {
  std::string_view word = trimmed(line.value.substr(0, line.value.find('#')));
  if (word.empty() || word.front() == '[' || word.front() == '{') return std::nullopt;
  const std::size_t at = line.offset_of(word);
  if (word == "True" || word == "False") {
    return Advice{at, word.size(), "true and false are written in lower case", {}};
  }
  if (word == "yes" || word == "no" || word == "on" || word == "off") {
    return Advice{at, word.size(), "a switch is true or false", {}};
  }
  if (const std::size_t comma = word.find(',');
      comma != std::string_view::npos &&
      word.find_first_not_of("+-0123456789,") == std::string_view::npos) {
    std::string cure = printable(line.key) + " = " + printable(word);
    cure[cure.rfind(',')] = '.';
    return Advice{at, word.size(), "a number has a point, not a comma", cure};
  }
  if (word.size() > 1 && word.front() == '0' &&
      word.find_first_not_of("0123456789") == std::string_view::npos) {
    return Advice{at, word.size(), "a number must not begin with 0", {}};
  }
  if (word.find_first_not_of("+-0123456789_") == std::string_view::npos || fits_no_double(word)) {
    return Advice{at, word.size(), "this number is too large", {}};
  }
  if (contains(word, "\"")) return std::nullopt;
  return Advice{at, word.size(), "a text must stand in quotes",
                printable(line.key) + " = \"" + printable(word) + "\""};
}

std::optional<Advice> advise(const Line& line, std::string_view says) {
  if (auto advice = twice(line, says)) return advice;
  if (contains(says, "parse_array")) {
    return Advice{0, 1, "a comma or the closing ] of a list is missing before this", {}};
  }
  if (auto advice = open_header(line)) return advice;
  if (line.key.empty()) return std::nullopt;
  if (!line.has_equals) {
    if (line.key.front() == '[') return std::nullopt;
    return Advice{line.offset_of(line.key), line.key.size(), "'=' is missing",
                  "a line is: name = value"};
  }
  if (line.value.empty() || line.value.front() == '#') {
    return Advice{
        line.text.find('='), 1, "the value of '" + printable(line.key) + "' is missing", {}};
  }
  if (line.value.front() == '"' || line.value.front() == '\'') return bad_string(line);
  return bare_word(line);
}

}  // namespace

Problem advise_on_syntax(std::string_view source, Position at, std::string_view parser_says) {
  const Line line = take_apart(line_of(source, at.line));
  if (const auto advice = advise(line, parser_says)) {
    at.column = advice->offset + 1;
    at.length = advice->length;
    return {{}, at, advice->message, advice->hint};
  }
  return {{}, at, cleaned(parser_says), {}};
}

}  // namespace sluice::daemon
