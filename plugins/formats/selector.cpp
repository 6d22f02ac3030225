#include "plugins/formats/selector.hpp"

#include <optional>
#include <utility>

#include "pipeline/base/log.hpp"
#include "plugins/formats/bytes.hpp"

namespace sluice::formats {

namespace {

Error invalid(std::string_view selector, const std::string& what) {
  return {ErrorCode::kInvalid, "selector \"" + printable(selector) + "\": " + what};
}

/// The rest of `text` if it begins with `prefix`.
std::optional<std::string_view> after(std::string_view text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return std::nullopt;
  return text.substr(prefix.size());
}

std::string what_there_is(const SelectorRules& rules) {
  std::string list;
  if (rules.pointers) list += "a JSON Pointer such as /level, root:/a, @0:/a, key, ";
  if (rules.columns) list += "col:0 or col:Header, ";
  if (rules.payload) list += "payload, ";
  return list + "topic:1, const:text or template:{topic:1}/text";
}

std::string too_few_iterations(const SelectorRules& rules) {
  if (rules.iterations == 0) return "it needs `each`, which is not set";
  return "`each` has " + std::to_string(rules.iterations) +
         (rules.iterations == 1 ? " entry" : " entries") + ", counted from 0";
}

Result<Source> pointer_source(std::string_view selector, std::string_view pointer,
                              std::size_t scope) {
  auto path = parse_pointer(pointer);
  if (!path) return invalid(selector, path.error().message());
  Source source;
  source.kind = SourceKind::kPointer;
  source.index = scope;
  source.path = std::move(path).value();
  return source;
}

Result<Source> indexed(std::string_view selector, SourceKind kind, std::string_view digits,
                       std::string_view example) {
  const auto index = parse_digits<std::uint32_t>(digits);
  if (!index) {
    return invalid(selector, "a whole number from 0 must follow, as in " + std::string{example});
  }
  Source source;
  source.kind = kind;
  source.index = *index;
  return source;
}

/// `key`, `key:N` and `@N:/…`: N counts iterations from 0, a Source counts them from 1.
Result<Source> key_source(std::string_view text, const SelectorRules& rules) {
  Source source;
  source.kind = SourceKind::kKey;
  source.index = rules.iterations;
  if (const auto digits = after(text, "key:")) {
    auto numbered = indexed(text, SourceKind::kKey, *digits, "key:0");
    if (!numbered) return numbered;
    source.index = numbered->index + 1;
  }
  if (source.index == 0 || source.index > rules.iterations) {
    return invalid(text, too_few_iterations(rules));
  }
  return source;
}

Result<Source> iteration_pointer(std::string_view text, const SelectorRules& rules) {
  const std::size_t colon = text.find(':');
  const auto number = colon == std::string_view::npos
                          ? std::nullopt
                          : parse_digits<std::uint32_t>(text.substr(1, colon - 1));
  if (!number) return invalid(text, "it must look like @0:/a");
  if (*number >= rules.iterations) return invalid(text, too_few_iterations(rules));
  return pointer_source(text, text.substr(colon + 1), *number + std::size_t{1});
}

Source text_source(SourceKind kind, std::string_view text) {
  Source source;
  source.kind = kind;
  source.text = text;
  return source;
}

Result<Source> column_source(std::string_view selector, std::string_view column) {
  if (column.empty()) return invalid(selector, "a number or header must follow, as in col:0");
  if (parse_digits<std::uint32_t>(column)) {
    return indexed(selector, SourceKind::kColumn, column, "col:0");
  }
  return text_source(SourceKind::kColumn, column);
}

/// Everything but templates.
Result<Source> parse_source(std::string_view text, const SelectorRules& rules) {
  if (const auto level = after(text, "topic:")) {
    return indexed(text, SourceKind::kTopic, *level, "topic:1");
  }
  if (const auto constant = after(text, "const:")) {
    return text_source(SourceKind::kConst, *constant);
  }
  if (rules.payload && text == "payload") return text_source(SourceKind::kPayload, {});
  if (const auto column = after(text, "col:"); column && rules.columns) {
    return column_source(text, *column);
  }
  if (rules.pointers) {
    if (text.empty() || text.front() == '/') return pointer_source(text, text, rules.iterations);
    if (const auto pointer = after(text, "root:")) return pointer_source(text, *pointer, 0);
    if (text.front() == '@') return iteration_pointer(text, rules);
    if (text == "key" || after(text, "key:")) return key_source(text, rules);
  }
  return invalid(text, "not a selector of the format " + std::string{rules.format} + "; use " +
                           what_there_is(rules));
}

Result<std::vector<Source>> parse_template(std::string_view selector, std::string_view text,
                                           const SelectorRules& rules) {
  std::vector<Source> parts;
  while (!text.empty()) {
    const std::size_t open = text.find_first_of("{}");
    if (open != 0) {
      parts.push_back(text_source(SourceKind::kConst, text.substr(0, open)));
      text.remove_prefix(open == std::string_view::npos ? text.size() : open);
      continue;
    }
    const std::size_t close = text.find_first_of("{}", 1);
    if (text.front() == '}' || close == std::string_view::npos || text[close] == '{') {
      return invalid(selector, "braces must come in pairs, as in template:{topic:1}/x");
    }
    auto part = parse_source(text.substr(1, close - 1), rules);
    if (!part) return std::move(part).error().with_context("in a template");
    parts.push_back(std::move(part).value());
    text.remove_prefix(close + 1);
  }
  if (parts.empty()) return invalid(selector, "the template is empty");
  return parts;
}

}  // namespace

Result<std::vector<std::string>> parse_pointer(std::string_view text) {
  std::vector<std::string> tokens;
  if (text.empty()) return tokens;
  if (text.front() != '/') {
    return Error{ErrorCode::kInvalid, "a JSON Pointer begins with '/' (or is empty)"};
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/') {
      tokens.emplace_back();
    } else if (text[i] != '~') {
      tokens.back() += text[i];
    } else if (i + 1 < text.size() && (text[i + 1] == '0' || text[i + 1] == '1')) {
      tokens.back() += text[++i] == '0' ? '~' : '/';
    } else {
      return Error{ErrorCode::kInvalid,
                   "'~' in a JSON Pointer must be written ~0 (and '/' in a name ~1)"};
    }
  }
  return tokens;
}

Result<Selector> parse_selector(std::string_view text, const SelectorRules& rules) {
  Selector selector;
  selector.text = text;
  if (const auto pattern = after(text, "template:")) {
    auto parts = parse_template(text, *pattern, rules);
    if (!parts) return std::move(parts).error();
    selector.parts = std::move(parts).value();
    selector.joined = true;
    return selector;
  }
  auto source = parse_source(text, rules);
  if (!source) return std::move(source).error();
  selector.parts.push_back(std::move(source).value());
  return selector;
}

}  // namespace sluice::formats
