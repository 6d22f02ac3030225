// The part of Mapping that runs once: options into parsed form, mistakes into sentences.
#include <algorithm>
#include <utility>

#include "pipeline/base/log.hpp"
#include "pipeline/base/text.hpp"
#include "plugins/formats/bytes.hpp"
#include "plugins/formats/mapping.hpp"
#include "plugins/formats/number.hpp"

namespace sluice::formats {

namespace {

Error invalid(std::string_view option, const std::string& what) {
  return {ErrorCode::kInvalid, "'" + std::string{option} + "': " + what};
}

std::vector<std::string> list(const Options& options, std::string_view name) {
  return options.has(name) ? options.texts(name) : std::vector<std::string>{};
}

}  // namespace

// A level that no topic of this source has would reject everything, one message after the other.
Status Mapping::check_topic_levels(const Options& options) const {
  if (!options.has("topic") || options.text("topic").empty()) return Status::ok();
  std::string_view filter = options.text("topic");
  constexpr std::string_view kShare = "$share/";
  if (filter.substr(0, kShare.size()) == kShare) {
    filter.remove_prefix(std::min(filter.find('/', kShare.size()), filter.size() - 1) + 1);
  }
  if (!filter.empty() && filter.back() == '#') return Status::ok();
  const auto levels = static_cast<std::size_t>(std::count(filter.begin(), filter.end(), '/')) + 1;
  for (const Source& source : sources_) {
    if (source.kind != SourceKind::kTopic || source.index < levels) continue;
    return invalid("topic",
                   "\"" + printable(filter) + "\" has " + std::to_string(levels) +
                       (levels == 1 ? " level" : " levels") +
                       ", counted from 0, so there is no topic:" + std::to_string(source.index));
  }
  return Status::ok();
}

Result<Mapping> Mapping::make(const Options& options, const SelectorRules& rules) {
  Mapping mapping;
  for (const std::string_view name : {"sensor", "level"}) {
    if (!options.has(name)) return invalid(name, "it is missing");
    if (options.text(name) == "const:")
      return invalid(name, "a text must follow, as in const:weir");
    Field& field = name == "sensor" ? mapping.sensor_ : mapping.level_;
    SLUICE_RETURN_IF_ERROR(mapping.add_field(name, options.text(name), rules, field));
  }
  SLUICE_RETURN_IF_ERROR(mapping.add_conditions(options, "match", rules, mapping.match_));
  SLUICE_RETURN_IF_ERROR(mapping.add_conditions(options, "require", rules, mapping.require_));
  SLUICE_RETURN_IF_ERROR(mapping.read_level_options(options));
  SLUICE_RETURN_IF_ERROR(mapping.read_time_options(options, rules));
  if (options.has("sequence")) {
    // Field{}: to clang 14 a nested class with initial values has no default constructor in there.
    Field& field = mapping.sequence_.emplace(Field{});
    SLUICE_RETURN_IF_ERROR(mapping.add_field("sequence", options.text("sequence"), rules, field));
  }
  SLUICE_RETURN_IF_ERROR(mapping.check_topic_levels(options));
  return mapping;
}

Status Mapping::add_field(std::string_view option, std::string_view text,
                          const SelectorRules& rules, Field& out) {
  auto selector = parse_selector(text, rules);
  if (!selector) return std::move(selector).error().with_context("'" + std::string{option} + "'");
  out.name = std::string{option} + " " + (text.empty() ? "\"\"" : printable(text));
  out.joined = selector->joined;
  for (Source& source : selector->parts) {
    const auto known = std::find(sources_.begin(), sources_.end(), source);
    out.parts.push_back(static_cast<std::size_t>(known - sources_.begin()));
    if (known == sources_.end()) sources_.push_back(std::move(source));
  }
  return Status::ok();
}

Status Mapping::add_conditions(const Options& options, std::string_view option,
                               const SelectorRules& rules, std::vector<Condition>& out) {
  for (const std::string& text : list(options, option)) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      return invalid(option, "\"" + printable(text) +
                                 "\" must be a selector, '=' and a text, as in \"topic:1=tank*\"");
    }
    Condition condition;
    condition.pattern = text.substr(equals + 1);
    SLUICE_RETURN_IF_ERROR(add_field(option, text.substr(0, equals), rules, condition.field));
    out.push_back(std::move(condition));
  }
  return Status::ok();
}

Status Mapping::read_level_options(const Options& options) {
  if (options.has("unit")) unit_ = options.text("unit");
  if (options.has("scale")) scale_ = options.number("scale");
  if (options.has("offset")) offset_ = options.number("offset");
  if (options.has("decimal_comma")) decimal_comma_ = options.boolean("decimal_comma");
  if (scale_ == 0) return invalid("scale", "0 would make every level the same");
  if (options.has("valid_min")) valid_min_ = options.number("valid_min");
  if (options.has("valid_max")) valid_max_ = options.number("valid_max");
  if (valid_min_ > valid_max_) {
    return invalid("valid_min", "it is above valid_max, so no level would be taken");
  }
  for (const std::string& text : list(options, "bool")) {
    const std::size_t equals = text.rfind('=');
    const auto number = equals == std::string::npos || equals == 0
                            ? std::nullopt
                            : parse_number(std::string_view{text}.substr(equals + 1)).number;
    if (!number) {
      return invalid(
          "bool", "\"" + printable(text) + "\" must be a word, '=' and a number, as in \"ON=1\"");
    }
    std::string word{trimmed(std::string_view{text}.substr(0, equals))};
    const bool known = std::any_of(words_.begin(), words_.end(),
                                   [&](const auto& other) { return other.first == word; });
    if (known) return invalid("bool", "the word \"" + printable(word) + "\" is there twice");
    words_.emplace_back(std::move(word), *number);
  }
  for (const std::string& text : list(options, "invalid_values")) {
    const auto number = parse_number(text).number;
    if (!number) return invalid("invalid_values", "\"" + printable(text) + "\" is not a number");
    invalid_values_.push_back(*number);
  }
  return Status::ok();
}

Status Mapping::read_time_options(const Options& options, const SelectorRules& rules) {
  const bool has_time = options.has("time");
  time_format_name_ = options.has("time_format") ? options.text("time_format")
                                                 : std::string{has_time ? "iso8601" : "none"};
  auto format = TimeFormat::parse(time_format_name_);
  if (!format) return std::move(format).error().with_context("'time_format'");
  time_format_ = std::move(format).value();
  if (has_time && time_format_.is_none()) {
    return invalid("time_format", "none, but 'time' says where the time is: remove one of them");
  }
  if (!has_time && !time_format_.is_none()) {
    return invalid("time", "it is missing, but 'time_format' is set");
  }
  if (has_time) {
    Field time;
    SLUICE_RETURN_IF_ERROR(add_field("time", options.text("time"), rules, time));
    time_ = std::move(time);
  }
  if (options.has("min_time")) {
    const std::string& text = options.text("min_time");
    min_time_ = TimeFormat::parse("iso8601").value().read(Value::of_text(text), 0);
    if (!min_time_) {
      return invalid("min_time", "\"" + printable(text) + "\" must look like 2015-01-01T00:00:00Z");
    }
  }
  max_future_ = options.has("max_future") ? options.duration("max_future").count() : kMaxTimestamp;
  receipt_on_bad_time_ = options.has("on_bad_time") && options.text("on_bad_time") == "receipt";
  return Status::ok();
}

}  // namespace sluice::formats
