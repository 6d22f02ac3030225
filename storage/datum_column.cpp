#include "storage/datum_column.hpp"

#include <cmath>

namespace sluice::storage {
namespace {

// The number of bytes of the UTF-8 character at the start, or 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(text[n]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t n = 1; n < length; ++n) {
    if ((byte(n) & 0xC0U) != 0x80U) return 0;
  }
  const unsigned char second = byte(1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool beyond = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
  return overlong || beyond ? 0 : length;
}

bool reads_as_another_form(std::string_view text) {
  return text == "true" || text == "false" || text.starts_with('{') || text.starts_with('[');
}

}  // namespace

bool is_clean_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0 || text.front() == '\0') return false;
    text.remove_prefix(length);
  }
  return true;
}

void bind_datum(Statement& statement, int parameter, const Datum& datum, ColumnUse use,
                std::string& scratch) {
  if (const auto* integer = datum.get_if<std::int64_t>())
    return statement.bind(parameter, *integer);
  if (const auto* real = datum.get_if<double>()) {
    const bool special = std::isnan(*real) || (*real == 0 && std::signbit(*real));
    if (!special) return statement.bind(parameter, *real);
  }
  if (const auto* flag = datum.get_if<bool>()) {
    return statement.bind_text(parameter, *flag ? "true" : "false");
  }
  if (const auto* text = datum.get_if<std::string>()) {
    if (!is_clean_text(*text)) return statement.bind_blob(parameter, *text);
    if (!reads_as_another_form(*text)) return statement.bind_text(parameter, *text);
    scratch = "{\"$text\":" + datum_to_json(datum) + "}";
    return statement.bind_text(parameter, scratch);
  }
  if (datum.is_null() && use == ColumnUse::kValue) return statement.bind_null(parameter);
  scratch = datum.is_null() ? "{\"$null\":0}" : datum_to_json(datum);
  // JSON's own -0.0 would be a form of its own here: give it the name that NaN has.
  if (datum.get_if<double>() != nullptr && !scratch.starts_with('{')) {
    scratch = "{\"$real\":\"" + scratch + "\"}";
  }
  statement.bind_text(parameter, scratch);
}

Result<Datum> column_datum(const Statement& statement, int column) {
  switch (statement.type(column)) {
    case ColumnType::kInteger: return Datum{statement.integer(column)};
    case ColumnType::kReal: return Datum{statement.real(column)};
    case ColumnType::kBlob: return Datum{statement.bytes(column)};
    case ColumnType::kNull: return Datum{};
    case ColumnType::kText: break;
  }
  const std::string_view text = statement.bytes(column);
  if (text == "true") return Datum{true};
  if (text == "false") return Datum{false};
  if (reads_as_another_form(text)) return datum_from_json(text);
  return Datum{text};
}

}  // namespace sluice::storage
