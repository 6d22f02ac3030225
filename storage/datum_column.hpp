// Datum <-> SQLite columns, such that people can read them and nothing is lost.
//
//   integer                INTEGER
//   double                 REAL; NaN and -0.0 as TEXT {"$real":"NaN"}, {"$real":"-0.0"}
//   text                   TEXT; as TEXT {"$text":"…"} if it would read as one of the other forms,
//                          as BLOB if it holds a NUL or is not UTF-8
//   true, false            TEXT true, false
//   list, struct           TEXT, JSON: […], {…}
//   null                   NULL; as TEXT {"$null":0} in a key, where SQLite wants no NULL
//
// So a TEXT that is `true` or `false`, or begins with [ or {, is one of our forms; any other one is
// plain text. Inside JSON the same special forms are used, texts that are not UTF-8 are
// {"$bytes":"<hex>"}, and a struct with member names that JSON could not give back is
// {"$struct":[name,value,…]}. Pure functions.
#pragma once

#include <string>

#include "pipeline/base/datum.hpp"
#include "pipeline/base/result.hpp"
#include "storage/sqlite/database.hpp"

namespace sluice::storage {

/// A Datum as JSON text, without loss.
std::string datum_to_json(const Datum& datum);
/// kCorrupt for anything that datum_to_json() does not write.
Result<Datum> datum_from_json(std::string_view json);

enum class ColumnUse { kKey, kValue };

/// Binds `datum`. Texts it needs besides the datum's own go to `scratch`; both must stay as they
/// are until the statement has run.
void bind_datum(Statement& statement, int parameter, const Datum& datum, ColumnUse use,
                std::string& scratch);
Result<Datum> column_datum(const Statement& statement, int column);

/// Whether `text` can be a SQLite TEXT without loss: UTF-8 and no NUL.
bool is_clean_text(std::string_view text);

}  // namespace sluice::storage
