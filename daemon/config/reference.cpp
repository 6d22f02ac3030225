#include "daemon/config/reference.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "daemon/config/sections.hpp"
#include "pipeline/plugin/option_text.hpp"

namespace sluice::daemon {

namespace {

constexpr std::string_view kReferenceIntro = R"(# Configuration

<!-- Made by `sluice config-reference` from the option tables; do not edit by hand. -->

The configuration is one TOML file, `/etc/sluice/sluice.toml` unless `--config` names another.
`sluice check` says whether it is right; for each mistake it shows the line and what to do.
`sluice config-reference --example` prints a commented example, which is installed as that file.

- Durations are whole numbers with a unit: `"250ms"`, `"5s"`, `"5min"`, `"2h"`, `"7d"`.
- Sizes as well: `"512B"`, `"64KiB"`, `"16MiB"`, `"1GiB"`.
- Names have 1 to 64 letters (a-z, A-Z), digits, `_`, `.` and `-`.
- `sensor`, `level` and `time` of a source are [selectors](#selectors).
)";

constexpr std::string_view kSelectors = R"(
## Selectors

A selector says where in a message a value is. `match` and `require` take `SELECTOR=PATTERN`.

| selector | what it takes | in format |
| --- | --- | --- |
| `topic:1` | a level of the topic, counted from 0 | all |
| `const:weir` | the text after the colon | all |
| `template:{topic:1}/{/id}` | texts and selectors in braces, joined | all |
| `/data/level` | a JSON Pointer from the item, which is the document unless `each` is set; `""` is the item itself | json |
| `root:/id` | a JSON Pointer from the document, inside `each` | json |
| `@0:/id` | a JSON Pointer from the item of that `each`, counted from 0 | json |
| `key`, `key:0` | the member name or index met by the innermost or by that `each` | json |
| `col:2`, `col:level` | a column, counted from 0, or by its header | csv |
| `payload` | the whole payload | text |
)";

constexpr std::string_view kExampleIntro = R"(# Sluice: the configuration of a site.
#
# Made by `sluice config-reference --example`. A line that begins with # and a name shows what holds
# without it; where that is nothing, "…" stands for a value of yours.
# Check changes with: sluice check --config FILE
)";

/// What the example file sets: the values of a small site that works.
struct ExampleValue {
  std::string_view table;  ///< a section's name, or the kind of a monitor
  std::string_view option;
  std::string_view value;
};
constexpr std::array kExampleValues{
    ExampleValue{"site", "id", "my-site"},
    ExampleValue{"mqtt", "servers", "mqtt://localhost:1883"},
    ExampleValue{"source", "name", "levels"},
    ExampleValue{"source", "topic", "water/+/level"},
    ExampleValue{"source", "sensor", "topic:1"},
    ExampleValue{"source", "level", "/level"},
    ExampleValue{"source", "unit", "cm"},
    ExampleValue{"threshold", "name", "flood"},
    ExampleValue{"threshold", "kind", "threshold"},
    ExampleValue{"threshold", "above", "400"},
    ExampleValue{"threshold", "deadband", "5"},
    ExampleValue{"delta", "name", "jump"},
    ExampleValue{"delta", "kind", "delta"},
    ExampleValue{"delta", "limit", "10"},
};
/// The monitors that the example has; further kinds follow as comments.
constexpr std::array<std::string_view, 2> kExampleKinds{"threshold", "delta"};
constexpr std::string_view kExampleFormat = "json";

std::string joined(const std::vector<std::string_view>& items, std::string_view quote) {
  std::string out;
  for (const std::string_view item : items) {
    if (!out.empty()) out += ", ";
    out += std::string{quote} + std::string{item} + std::string{quote};
  }
  return out;
}

/// A value as TOML; `text` as in OptionSpec::fallback.
std::string toml_value(const OptionSpec& spec, std::string_view text) {
  const std::string plain{text};
  switch (spec.type) {
    case OptionType::kInteger:
    case OptionType::kNumber:
    case OptionType::kBoolean: return plain;
    case OptionType::kText:
    case OptionType::kDuration:
    case OptionType::kSize: break;
    case OptionType::kTextList: {
      OptionSpec one = spec;
      one.fallback = text;
      const Options parsed = Options::fallbacks(std::array{one});
      const auto& items = parsed.texts(spec.name);
      return "[" + joined({items.begin(), items.end()}, "\"") + "]";
    }
  }
  // A basic string would take backslashes and quotes for its own.
  return text.find_first_of("\"\\") == std::string_view::npos ? "\"" + plain + "\""
                                                              : "'" + plain + "'";
}

std::string_view short_type(OptionType type) {
  switch (type) {
    case OptionType::kText: return "text";
    case OptionType::kInteger: return "whole number";
    case OptionType::kNumber: return "number";
    case OptionType::kBoolean: return "true or false";
    case OptionType::kDuration: return "duration";
    case OptionType::kSize: return "size";
    case OptionType::kTextList: return "list of texts";
  }
  return "";
}

/// "number in cm, at least 0", "one of `a`, `b`".
std::string constraint(const OptionSpec& spec, std::string_view quote) {
  if (!spec.choices.empty()) return "one of " + joined(choices_of(spec), quote);
  std::string out{short_type(spec.type)};
  if (!spec.unit.empty()) out += " in " + std::string{spec.unit};
  if (const std::string range = describe_range(spec); !range.empty()) out += ", " + range;
  return out;
}

/// A cell of a Markdown table: a bar would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string{"\\|"} : std::string(1, c);
  return out;
}

std::string option_rows(std::span<const OptionSpec> options) {
  if (options.empty()) return "No further options.\n";
  std::string out = "| option | what it is | value | unless set |\n| --- | --- | --- | --- |\n";
  for (const OptionSpec& spec : options) {
    const std::string unset = spec.required           ? "must be set"
                              : spec.fallback.empty() ? "–"
                                                      : "`" + toml_value(spec, spec.fallback) + "`";
    out += "| `" + std::string{spec.name} + "` | " + cell(spec.help) + " | " +
           cell(constraint(spec, "`")) + " | " + cell(unset) + " |\n";
  }
  return out;
}

std::string kind_chapters(std::string_view option, const std::vector<KindEntry>& kinds) {
  std::string out;
  for (const KindEntry& kind : kinds) {
    out += "\n### " + std::string{option} + " = \"" + std::string{kind.name} + "\"\n\n" +
           std::string{kind.help} + ".\n\n" + option_rows(kind.options);
  }
  return out;
}

std::span<const OptionSpec> options_of(const Section& section, const KindCatalog& catalog) {
  return section.name == kMqtt.name ? catalog.mqtt_options() : section.options;
}

/// Words of a comment, broken into lines.
std::string comment(std::string_view text) {
  constexpr std::size_t kWidth = 98;
  std::string out;
  std::string line = "#";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (line.size() > 1 && line.size() + 1 + end > kWidth) {
      out += line + "\n";
      line = "#";
    }
    line += " " + std::string{text.substr(0, end)};
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + line + "\n";
}

std::optional<std::string_view> example_value(std::string_view table, const OptionSpec& spec) {
  const auto found = std::find_if(
      kExampleValues.begin(), kExampleValues.end(),
      [&](const ExampleValue& value) { return value.table == table && value.option == spec.name; });
  if (found == kExampleValues.end()) return std::nullopt;
  return found->value;
}

/// The options of one table: those with an example value set, the others as comments.
std::string example_options(std::string_view table, std::span<const OptionSpec> options) {
  std::string out;
  for (const OptionSpec& spec : options) {
    out += comment(std::string{spec.help} + " (" + constraint(spec, "\"") + ")");
    const std::string name{spec.name};
    if (const auto value = example_value(table, spec)) {
      out += name + " = " + toml_value(spec, *value) + "\n";
    } else {
      const bool unset = spec.fallback.empty();
      out += "#" + name + " = " + (unset ? "…" : toml_value(spec, spec.fallback)) + "\n";
    }
  }
  return out;
}

bool is_example_kind(std::string_view kind) {
  return std::find(kExampleKinds.begin(), kExampleKinds.end(), kind) != kExampleKinds.end();
}

/// Those of a kind that this program lacks are left out.
std::string example_monitors(const std::vector<KindEntry>& kinds) {
  std::string out;
  for (const std::string_view name : kExampleKinds) {
    const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const KindEntry& entry) { return entry.name == name; });
    if (kind == kinds.end()) continue;
    const bool first = out.empty();
    out += "\n" + comment((first ? std::string{kMonitor.help} + ". " : std::string{}) +
                          std::string{kind->help} + ".");
    out += header_of(kMonitor) + "\n";
    if (first) {
      out += example_options(name, kMonitor.options);
    } else {
      for (const OptionSpec& spec : kMonitor.options) {
        const auto value = example_value(name, spec);
        if (value) out += std::string{spec.name} + " = " + toml_value(spec, *value) + "\n";
      }
    }
    out += example_options(name, kind->options);
  }
  return out;
}

/// A monitor of another kind, wholly as a comment.
std::string commented_monitor(const KindEntry& kind) {
  const std::string name{kind.name};
  std::string out = "\n" + comment(std::string{kind.help} + ":") + "#[[monitor]]\n#name = \"" +
                    name + "\"\n#kind = \"" + name + "\"\n";
  for (const OptionSpec& spec : kind.options) {
    const bool unset = spec.fallback.empty();
    out += "#" + std::string{spec.name} + " = " + (unset ? "…" : toml_value(spec, spec.fallback)) +
           "   # " + std::string{spec.help} + " (" + constraint(spec, "\"") + ")\n";
  }
  return out;
}

std::span<const OptionSpec> kind_options(const std::vector<KindEntry>& kinds,
                                         std::string_view name) {
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const KindEntry& kind) { return kind.name == name; });
  return found == kinds.end() ? std::span<const OptionSpec>{} : found->options;
}

}  // namespace

std::string configuration_reference(const KindCatalog& catalog) {
  std::string out{kReferenceIntro};
  for (const Section& section : kSections) {
    out += "\n## " + header_of(section) + "\n\n" + std::string{section.help} + ".\n\n" +
           option_rows(options_of(section, catalog));
    if (section.name == kSource.name) out += kind_chapters("format", catalog.formats());
    if (section.name == kMonitor.name) out += kind_chapters("kind", catalog.monitors());
  }
  out += kSelectors;
  return out;
}

std::string example_file(const KindCatalog& catalog) {
  std::string out{kExampleIntro};
  for (const Section& section : kSections) {
    if (section.name == kMonitor.name) {
      out += example_monitors(catalog.monitors());
      for (const KindEntry& kind : catalog.monitors()) {
        if (!is_example_kind(kind.name)) out += commented_monitor(kind);
      }
      continue;
    }
    out += "\n" + comment(std::string{section.help} + ".") + header_of(section) + "\n" +
           example_options(section.name, options_of(section, catalog));
    if (section.name == kSource.name) {
      out += example_options(section.name, kind_options(catalog.formats(), kExampleFormat));
    }
  }
  return out;
}

}  // namespace sluice::daemon
