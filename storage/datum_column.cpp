#include "storage/datum_column.hpp"

#include <cmath>

#include "pipeline/base/utf8.hpp"

namespace sluice::storage {
namespace {

bool reads_as_another_form(std::string_view text) {
  return text == "true" || text == "false" || text.starts_with('{') || text.starts_with('[');
}

}  // namespace

bool is_clean_text(std::string_view text) {
  return is_utf8(text) && text.find('\0') == std::string_view::npos;
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
