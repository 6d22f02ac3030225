#include "daemon/config/check.hpp"

#include <algorithm>
#include <optional>

#include "pipeline/base/log.hpp"
#include "pipeline/plugin/option_text.hpp"

namespace sluice::daemon {

namespace {

std::string in_single_quotes(std::string_view name) { return "'" + std::string{name} + "'"; }

/// A list of texts, if all are; an empty list is one.
std::optional<OptionValue> as_texts(const ConfigNode::Array& items) {
  std::vector<std::string> out;
  for (const ConfigNode& item : items) {
    const auto* text = std::get_if<std::string>(&item.value);
    if (text == nullptr) return std::nullopt;
    out.push_back(*text);
  }
  return OptionValue{std::move(out)};
}

/// The value as an option may have it; nothing for tables and mixed lists.
std::optional<OptionValue> as_option(const ConfigNode& node) {
  if (const auto* items = node.array()) return as_texts(*items);
  if (const auto* v = std::get_if<std::string>(&node.value)) return OptionValue{*v};
  if (const auto* v = std::get_if<std::int64_t>(&node.value)) return OptionValue{*v};
  if (const auto* v = std::get_if<double>(&node.value)) return OptionValue{*v};
  if (const auto* v = std::get_if<bool>(&node.value)) return OptionValue{*v};
  return std::nullopt;
}

bool has_refused_item(const ConfigNode& node) {
  const auto* items = node.array();
  return items != nullptr && std::any_of(items->begin(), items->end(),
                                         [](const ConfigNode& item) { return item.refused(); });
}

/// What helps with the usual slips of type.
std::string type_hint(const OptionSpec& spec, const ConfigNode& node) {
  if (const auto* text = std::get_if<std::string>(&node.value)) {
    const bool number = spec.type == OptionType::kInteger || spec.type == OptionType::kNumber;
    const bool digits =
        !text->empty() && text->find_first_not_of("+-.0123456789") == std::string::npos;
    if (number && digits) return "write it without quotes: " + *text;
    if (spec.type == OptionType::kTextList) return "write [\"" + printable(*text) + "\"]";
    if (!spec.choices.empty()) return did_you_mean(*text, choices_of(spec));
  }
  if (const auto* whole = std::get_if<std::int64_t>(&node.value); whole != nullptr && *whole >= 0) {
    const std::string digits = std::to_string(*whole);
    if (spec.type == OptionType::kDuration) return "write it with a unit: \"" + digits + "s\"";
    if (spec.type == OptionType::kSize) return "write it with a unit: \"" + digits + "MiB\"";
    if (spec.type == OptionType::kText) return "write it in quotes: \"" + digits + "\"";
  }
  return {};
}

std::vector<std::string_view> names_of(std::span<const OptionSpec> specs) {
  std::vector<std::string_view> out;
  for (const OptionSpec& spec : specs) out.push_back(spec.name);
  return out;
}

void check_entry(const OptionSpec& spec, const ConfigEntry& entry, Options& out,
                 ProblemSink& problems) {
  const ConfigNode& node = entry.value;
  if (node.refused() || has_refused_item(node)) return;
  const auto raw = as_option(node);
  if (!raw) {
    problems.add(node.at, in_single_quotes(spec.name) + " must be " +
                              std::string{describe_type(spec.type)} + ", not " +
                              std::string{node.array() != nullptr ? "a list of other things"
                                                                  : node.kind_name()});
    return;
  }
  auto value = check_option(spec, *raw);
  if (!value) {
    problems.add(node.at, value.error().message(), type_hint(spec, node));
    return;
  }
  out.set(spec.name, std::move(value).value());
}

}  // namespace

Options check_table(const ConfigNode& table, std::string_view what,
                    std::span<const OptionSpec> specs, ProblemSink& problems, UnknownKeys unknown) {
  Options out = Options::fallbacks(specs);
  if (table.refused()) return out;
  if (table.table() == nullptr) {
    problems.add(table.at,
                 std::string{what} + " must be a table, not " + std::string{table.kind_name()});
    return out;
  }
  for (const ConfigEntry& entry : *table.table()) {
    const auto spec = std::find_if(specs.begin(), specs.end(),
                                   [&](const OptionSpec& s) { return s.name == entry.key; });
    if (spec != specs.end()) {
      check_entry(*spec, entry, out, problems);
    } else if (unknown == UnknownKeys::kRefuse) {
      problems.add(entry.key_at,
                   "unknown option '" + printable(entry.key) + "' in " + std::string{what},
                   did_you_mean(entry.key, names_of(specs)));
    }
  }
  for (const OptionSpec& spec : specs) {
    if (!spec.required || table.find(spec.name) != nullptr) continue;
    problems.add(table.at, std::string{what} + " needs '" + std::string{spec.name} + "'",
                 in_single_quotes(spec.name) + " is " + std::string{spec.help});
  }
  return out;
}

Position place_of(const ConfigNode& table, std::string_view key) {
  const ConfigEntry* entry = table.find(key);
  return entry == nullptr ? table.at : entry->value.at;
}

void check_status(const ConfigNode& table, std::string_view what, const Status& status,
                  ProblemSink& problems) {
  if (status) return;
  const std::string& message = status.error().message();
  for (std::size_t open = message.find('\''); open != std::string::npos;
       open = message.find('\'', open + 1)) {
    const std::size_t close = message.find('\'', open + 1);
    if (close == std::string::npos) break;
    const std::string_view name = std::string_view{message}.substr(open + 1, close - open - 1);
    if (table.find(name) == nullptr) continue;
    problems.add(place_of(table, name), message);
    return;
  }
  problems.add(table.at, std::string{what} + ": " + message);
}

}  // namespace sluice::daemon
