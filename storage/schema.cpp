#include "storage/schema.hpp"

#include <array>
#include <string>

#include "storage/crash_point.hpp"

namespace sluice::storage {
namespace {

// Reaches disk, and people: `sqlite3 sluice.db .schema` shows these comments.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE checkpoint (
  -- The one checkpoint that this file is: everything here is as of this journal record.
  id               INTEGER PRIMARY KEY,  -- counts up with each checkpoint; there is one row
  taken_at         INTEGER NOT NULL,     -- ms since 1970, UTC
  journal_sequence INTEGER NOT NULL,     -- recovery goes on with the record after this one
  extras           ANY                   -- what the engine keeps besides, as JSON
) STRICT;

CREATE TABLE operator (
  -- One instance of one operator of the pipeline.
  id              INTEGER PRIMARY KEY,
  uid             TEXT    NOT NULL,      -- the operator's name, for ever
  subtask         INTEGER NOT NULL,      -- 0 … parallelism - 1
  parallelism     INTEGER NOT NULL,
  max_parallelism INTEGER NOT NULL,
  UNIQUE (uid, subtask)
) STRICT;

CREATE TABLE state (
  -- One state of one operator instance.
  id         INTEGER PRIMARY KEY,
  operator   INTEGER NOT NULL REFERENCES operator ON DELETE CASCADE,
  name       TEXT    NOT NULL,
  kind       TEXT    NOT NULL,           -- value, list, map, event-timers, …
  key_type   TEXT    NOT NULL,           -- empty where there is no key
  value_type TEXT    NOT NULL,
  ttl        INTEGER NOT NULL,           -- 1: values carry the time of their last write
  UNIQUE (operator, name, kind)
) STRICT;

CREATE TABLE entry (
  -- One row of one state. Numbers and texts are as they are. A text that is true or false, or
  -- begins with [ or {, is JSON: a list, a struct, or {"$text":"…"} for a text that looks like one.
  state INTEGER NOT NULL REFERENCES state ON DELETE CASCADE,
  key   ANY     NOT NULL,
  value ANY,
  PRIMARY KEY (state, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox (
  -- What was not delivered yet when the checkpoint was taken. Alert ids are sequence-ordinal.
  sequence INTEGER NOT NULL,             -- journal record that caused it; 0 = none
  ordinal  INTEGER NOT NULL,             -- which one of that record's publications
  topic    TEXT    NOT NULL,
  urgency  TEXT    NOT NULL,             -- alert, status, value
  payload  ANY     NOT NULL,             -- text, or a blob if it is not UTF-8
  qos      INTEGER NOT NULL,
  retain   INTEGER NOT NULL,
  PRIMARY KEY (sequence, ordinal, topic)
) STRICT, WITHOUT ROWID;

CREATE VIEW state_view AS
  -- For people: select key, value from state_view where operator = 'average';
  SELECT operator.uid AS operator, operator.subtask AS subtask, state.name AS state,
         state.kind AS kind, entry.key AS key, entry.value AS value
  FROM entry
  JOIN state ON state.id = entry.state
  JOIN operator ON operator.id = state.operator;
)sql";

constexpr std::array<Migration, 1> kMigrations{{{1, kVersion1}}};

}  // namespace

std::span<const Migration> migrations() { return kMigrations; }

int schema_version() { return kMigrations.back().to_version; }

Status migrate(Database& database, std::span<const Migration> steps) {
  auto version = database.integer("PRAGMA user_version");
  if (!version) return std::move(version).error();
  if (*version > steps.back().to_version) {
    return Error{ErrorCode::kVersion,
                 "database " + database.path() + " has schema version " + std::to_string(*version) +
                     ", this sluice understands up to " + std::to_string(steps.back().to_version) +
                     "; install the sluice that wrote it or a newer one, or move the file away to "
                     "start without its state"};
  }
  for (const Migration& step : steps) {
    if (step.to_version <= *version) continue;
    auto transaction = Transaction::begin(database);
    if (!transaction) return std::move(transaction).error();
    // Both pragmas are part of the transaction: a kill leaves the version before, or this one.
    SLUICE_RETURN_IF_ERROR(database.execute(step.sql));
    SLUICE_RETURN_IF_ERROR(
        database.execute("PRAGMA application_id = " + std::to_string(kApplicationId) +
                         "; PRAGMA user_version = " + std::to_string(step.to_version)));
    crash_point("migration.before-commit");
    SLUICE_RETURN_IF_ERROR(transaction->commit());
    crash_point("migration.after-commit");
  }
  return {};
}

}  // namespace sluice::storage
