#include "plugins/formats/value.hpp"

#include <charconv>

#include "pipeline/base/log.hpp"

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
