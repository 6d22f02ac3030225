#include "pipeline/plugin/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "pipeline/base/errors.hpp"
#include "pipeline/base/log.hpp"
#include "pipeline/plugin/option_text.hpp"

namespace sluice {

namespace {

Error invalid(std::string message) { return {ErrorCode::kInvalid, std::move(message)}; }

/// "'limit' must be at least 0, not -3".
Error must_be(const OptionSpec& spec, std::string_view wanted, const OptionValue& got) {
  std::string message = "'" + std::string{spec.name} + "' must be " + std::string{wanted};
  if (!spec.unit.empty() && spec.type != OptionType::kText) {
    message += " (" + std::string{spec.unit} + ")";
  }
  return invalid(message + ", not " + describe_value(got));
}

Status check_range(const OptionSpec& spec, double value, const OptionValue& raw) {
  if (value >= spec.minimum && value <= spec.maximum) return Status::ok();
  return must_be(spec, describe_range(spec), raw);
}

Status check_text(const OptionSpec& spec, const std::string& text) {
  // NUL would end the text early in every C library behind us.
  if (text.find('\0') != std::string::npos) {
    return invalid("'" + std::string{spec.name} + "' must not contain a NUL character");
  }
  const auto choices = choices_of(spec);
  if (choices.empty() || std::find(choices.begin(), choices.end(), text) != choices.end()) {
    return Status::ok();
  }
  std::string wanted = choices.size() == 1 ? "" : "one of ";
  for (const std::string_view choice : choices) {
    if (choice != choices.front()) wanted += ", ";
    wanted += '"' + std::string{choice} + '"';
  }
  return must_be(spec, wanted, text);
}

Result<OptionValue> check_integer(const OptionSpec& spec, const OptionValue& raw) {
  const auto* value = std::get_if<std::int64_t>(&raw);
  if (value == nullptr) return must_be(spec, describe_type(spec.type), raw);
  SLUICE_RETURN_IF_ERROR(check_range(spec, static_cast<double>(*value), raw));
  return raw;
}

Result<OptionValue> check_number(const OptionSpec& spec, const OptionValue& raw) {
  std::optional<double> value;
  if (const auto* whole = std::get_if<std::int64_t>(&raw)) value = static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&raw)) value = *real;
  if (!value) return must_be(spec, describe_type(spec.type), raw);
  if (!std::isfinite(*value)) return must_be(spec, "a finite number", raw);
  SLUICE_RETURN_IF_ERROR(check_range(spec, *value, raw));
  return OptionValue{*value};
}

/// Durations and sizes: texts with a unit; a bare number would leave the reader guessing.
Result<OptionValue> check_amount(const OptionSpec& spec, const OptionValue& raw) {
  const auto* text = std::get_if<std::string>(&raw);
  if (text == nullptr) return must_be(spec, describe_type(spec.type), raw);
  const bool is_duration = spec.type == OptionType::kDuration;
  auto amount = is_duration ? parse_duration(*text) : parse_size(*text);
  if (!amount) return std::move(amount).error().with_context("'" + std::string{spec.name} + "'");
  SLUICE_RETURN_IF_ERROR(check_range(spec, static_cast<double>(*amount), raw));
  return OptionValue{*amount};
}

Result<OptionValue> check_texts(const OptionSpec& spec, const OptionValue& raw) {
  if (const auto* text = std::get_if<std::string>(&raw); text && spec.type == OptionType::kText) {
    SLUICE_RETURN_IF_ERROR(check_text(spec, *text));
    return raw;
  }
  const auto* list = std::get_if<std::vector<std::string>>(&raw);
  if (list == nullptr || spec.type != OptionType::kTextList) {
    return must_be(spec, describe_type(spec.type), raw);
  }
  for (const std::string& item : *list) SLUICE_RETURN_IF_ERROR(check_text(spec, item));
  return raw;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    out.emplace_back(item);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  return out;
}

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc{} || rest != end) return std::nullopt;
  return value;
}

/// A fallback as the file would have given it; texts that do not parse stay texts and are refused.
OptionValue raw_fallback(const OptionSpec& spec) {
  const std::string_view text = spec.fallback;
  if (spec.type == OptionType::kTextList) return split_list(text);
  if (spec.type == OptionType::kBoolean && (text == "true" || text == "false")) {
    return text == "true";
  }
  if (spec.type == OptionType::kInteger) {
    if (const auto value = parse_whole<std::int64_t>(text)) return *value;
  }
  if (spec.type == OptionType::kNumber) {
    if (const auto value = parse_whole<double>(text)) return *value;
  }
  return std::string{text};
}

}  // namespace

Result<OptionValue> check_option(const OptionSpec& spec, const OptionValue& raw) {
  switch (spec.type) {
    case OptionType::kInteger: return check_integer(spec, raw);
    case OptionType::kNumber: return check_number(spec, raw);
    case OptionType::kDuration:
    case OptionType::kSize: return check_amount(spec, raw);
    case OptionType::kText:
    case OptionType::kTextList: return check_texts(spec, raw);
    case OptionType::kBoolean: break;
  }
  if (std::holds_alternative<bool>(raw)) return raw;
  return must_be(spec, describe_type(spec.type), raw);
}

namespace {

Status check_row(const OptionSpec& spec) {
  const std::string name = "option '" + printable(spec.name) + "'";
  const auto refuse = [&](const std::string& why) {
    return Error{ErrorCode::kInvalid, name + " " + why};
  };
  if (spec.name.empty() || spec.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") !=
                               std::string_view::npos) {
    return refuse("must be named with a-z, 0-9 and _");
  }
  if (spec.type > OptionType::kTextList) return refuse("is of no type that there is");
  if (spec.minimum > spec.maximum) return refuse("has a minimum above its maximum");
  if (spec.fallback.empty()) return {};
  if (spec.required) return refuse("must be set and has a fallback: it can only be one of both");
  if (auto value = check_option(spec, raw_fallback(spec)); !value) {
    return refuse("refuses its own fallback: " + value.error().message());
  }
  return {};
}

}  // namespace

Status check_option_table(std::span<const OptionSpec> specs,
                          std::span<const std::string_view> reserved) {
  std::set<std::string_view> taken{reserved.begin(), reserved.end()};
  for (const OptionSpec& spec : specs) {
    SLUICE_RETURN_IF_ERROR(check_row(spec));
    if (taken.insert(spec.name).second) continue;
    return Error{ErrorCode::kInvalid, "option '" + std::string{spec.name} +
                                          "' is there already, of the table itself or of all "
                                          "tables of this sort: take another name"};
  }
  return {};
}

Options Options::fallbacks(std::span<const OptionSpec> specs) {
  Options out;
  for (const OptionSpec& spec : specs) {
    if (spec.fallback.empty()) continue;
    auto value = check_option(spec, raw_fallback(spec));
    if (!value) throw InvalidArgument("fallback in an option table: " + value.error().message());
    out.set(spec.name, std::move(value).value());
  }
  return out;
}

void Options::set(std::string_view name, OptionValue value) {
  values_.insert_or_assign(std::string{name}, std::move(value));
}

bool Options::has(std::string_view name) const { return values_.find(name) != values_.end(); }

template <class T>
const T& Options::get(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) {
    throw InvalidArgument("option '" + std::string{name} + "' is not set and has no fallback");
  }
  const T* value = std::get_if<T>(&found->second);
  if (value == nullptr) {
    throw InvalidArgument("option '" + std::string{name} + "' is asked for as another type");
  }
  return *value;
}

bool Options::boolean(std::string_view name) const { return get<bool>(name); }
std::int64_t Options::integer(std::string_view name) const { return get<std::int64_t>(name); }
double Options::number(std::string_view name) const { return get<double>(name); }
const std::string& Options::text(std::string_view name) const { return get<std::string>(name); }
Duration Options::duration(std::string_view name) const {
  return Duration{get<std::int64_t>(name)};
}
const std::vector<std::string>& Options::texts(std::string_view name) const {
  return get<std::vector<std::string>>(name);
}

}  // namespace sluice
