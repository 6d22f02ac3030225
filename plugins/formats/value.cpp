#include "plugins/formats/value.hpp"

#include <charconv>
#include <cmath>

#include "pipeline/base/log.hpp"
#include "pipeline/base/text.hpp"
#include "plugins/formats/bytes.hpp"

namespace sluice::formats {

std::optional<std::string_view> as_word(const Value& value, WordBuffer& buffer) {
  switch (value.kind) {
    case ValueKind::kText:
    case ValueKind::kNumber: return value.text;
    case ValueKind::kBoolean: return value.boolean ? "true" : "false";
    case ValueKind::kInteger: {
      const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value.integer);
      return std::string_view{buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data())};
    }
    default: return std::nullopt;
  }
}

std::optional<std::int64_t> as_count(const Value& value) {
  // Beyond it neighbours are the same double.
  constexpr double kLargestExact = 9007199254740992.0;
  if (value.kind == ValueKind::kInteger && value.integer >= 0) return value.integer;
  if (value.kind == ValueKind::kNumber && value.number >= 0 && value.number <= kLargestExact &&
      std::trunc(value.number) == value.number) {
    return static_cast<std::int64_t>(value.number);
  }
  if (value.kind != ValueKind::kText) return std::nullopt;
  return parse_digits<std::int64_t>(trimmed(value.text));
}

std::string describe(const Value& value) {
  switch (value.kind) {
    case ValueKind::kMissing: return "missing";
    case ValueKind::kNull: return "null";
    case ValueKind::kList: return "a list";
    case ValueKind::kMap: return "an object";
    case ValueKind::kTwice: return "there twice";
    case ValueKind::kText: return "the text \"" + printable(value.text) + "\"";
    default: break;
  }
  WordBuffer buffer;
  return printable(as_word(value, buffer).value_or(""));
}

}  // namespace sluice::formats
