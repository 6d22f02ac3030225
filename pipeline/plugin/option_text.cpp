#include "pipeline/plugin/option_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "pipeline/base/log.hpp"

namespace sluice {

namespace {

std::string format_bound(const OptionSpec& spec, double bound) {
  if (spec.type == OptionType::kDuration) return format_duration(std::llround(bound));
  if (spec.type == OptionType::kSize) return format_size(std::llround(bound));
  return format_number(bound);
}

std::string in_quotes(std::string_view text) { return '"' + printable(text) + '"'; }

std::string describe_list(const std::vector<std::string>& list) {
  std::string out = "[";
  for (const std::string& item : list) {
    if (out.size() > 1) out += ", ";
    if (out.size() > 60) return out + "…]";
    out += in_quotes(item);
  }
  return out + "]";
}

}  // namespace

std::string_view describe_type(OptionType type) {
  switch (type) {
    case OptionType::kText: return "a text in quotes";
    case OptionType::kInteger: return "a whole number";
    case OptionType::kNumber: return "a number";
    case OptionType::kBoolean: return "true or false";
    case OptionType::kDuration:
      return "a duration such as \"250ms\", \"5s\", \"5min\", \"2h\" or \"7d\"";
    case OptionType::kSize: return "a size such as \"512B\", \"64KiB\", \"16MiB\" or \"1GiB\"";
    case OptionType::kTextList: return "a list of texts such as [\"a\", \"b\"]";
  }
  return "something else";
}

std::string format_number(double value) {
  std::array<char, 64> buffer{};
  char* const last = buffer.data() + buffer.size();
  // Left alone, 10000000 would become 1e+07.
  const bool plain = std::abs(value) < 1e15 && value == std::trunc(value);
  const auto end = plain ? std::to_chars(buffer.data(), last, std::llround(value))
                         : std::to_chars(buffer.data(), last, value);
  return {buffer.data(), end.ptr};
}

std::string describe_range(const OptionSpec& spec) {
  if (spec.type == OptionType::kText || spec.type == OptionType::kTextList ||
      spec.type == OptionType::kBoolean) {
    return {};
  }
  const bool low = std::isfinite(spec.minimum);
  const bool high = std::isfinite(spec.maximum);
  if (low && high) {
    return "from " + format_bound(spec, spec.minimum) + " to " + format_bound(spec, spec.maximum);
  }
  if (low) return "at least " + format_bound(spec, spec.minimum);
  if (high) return "at most " + format_bound(spec, spec.maximum);
  return {};
}

std::vector<std::string_view> choices_of(const OptionSpec& spec) {
  std::vector<std::string_view> out;
  std::string_view rest = spec.choices;
  while (!rest.empty()) {
    const std::size_t bar = rest.find('|');
    out.push_back(rest.substr(0, bar));
    rest = bar == std::string_view::npos ? std::string_view{} : rest.substr(bar + 1);
  }
  return out;
}

std::string describe_value(const OptionValue& value) {
  if (const auto* v = std::get_if<bool>(&value)) return *v ? "true" : "false";
  if (const auto* v = std::get_if<std::int64_t>(&value)) return std::to_string(*v);
  if (const auto* v = std::get_if<double>(&value)) return format_number(*v);
  if (const auto* v = std::get_if<std::string>(&value)) return in_quotes(*v);
  return describe_list(std::get<std::vector<std::string>>(value));
}

}  // namespace sluice
