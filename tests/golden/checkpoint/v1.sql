-- A database of schema version 1, as the program that wrote that version left it. Never changes.
PRAGMA application_id = 1397506885;
PRAGMA user_version = 1;

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

INSERT INTO checkpoint VALUES (17, 1722470400000, 4711, '{"watermark":1722470399999}');
INSERT INTO operator VALUES (1, 'average', 0, 1, 128), (2, 'silence', 0, 1, 128);
INSERT INTO state VALUES (1, 1, 'mean', 'aggregating', 'text', 'struct Mean{count:i64,mean:f64}', 0);
INSERT INTO state VALUES (2, 2, 'timers', 'processing-timers', 'text', '', 0);
INSERT INTO entry VALUES (1, 'weir 1', '{"count":2,"mean":3.5}');
INSERT INTO entry VALUES (2, '["weir 1",1722470460000]', 'true');
INSERT INTO outbox VALUES (4710, 0, 'sluice/a/alert/flood/weir%201', 'alert', '{"id":"4710-0"}', 1, 0);
