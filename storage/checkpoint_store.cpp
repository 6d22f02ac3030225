#include "storage/checkpoint_store.hpp"

#include <array>
#include <set>
#include <tuple>
#include <utility>

#include "storage/crash_point.hpp"
#include "storage/datum_column.hpp"

namespace sluice::storage {
namespace {

std::optional<StateKind> state_kind_from_word(std::string_view word) {
  constexpr auto kLast = static_cast<std::uint8_t>(StateKind::kBroadcast);
  for (std::uint8_t number = 1; number <= kLast; ++number) {
    const auto kind = static_cast<StateKind>(number);
    if (to_string(kind) == word) return kind;
  }
  return std::nullopt;
}

constexpr std::array<std::string_view, 3> kUrgencyWords{"value", "status", "alert"};

std::optional<Urgency> urgency_from_word(std::string_view word) {
  for (std::size_t n = 0; n < kUrgencyWords.size(); ++n) {
    if (kUrgencyWords[n] == word) return static_cast<Urgency>(n);
  }
  return std::nullopt;
}

// SQLite's integers are signed; sequences stay far below the sign bit, and survive it anyway.
std::int64_t to_column(std::uint64_t number) { return static_cast<std::int64_t>(number); }
std::uint64_t from_column(std::int64_t number) { return static_cast<std::uint64_t>(number); }

Error corrupt(const Database& database, std::string_view what) {
  return Error{ErrorCode::kCorrupt, "database " + database.path() + ": " + std::string{what}};
}

/// Writes the rows of a delta; statements are prepared once for all of them.
class StateWriter {
 public:
  static Result<StateWriter> prepare(Database& database) {
    StateWriter writer;
    const std::array<std::pair<Statement*, std::string_view>, 6> all{{
        {&writer.put_operator_,
         "INSERT INTO operator (uid, subtask, parallelism, max_parallelism) VALUES (?, ?, ?, ?) "
         "ON CONFLICT (uid, subtask) DO UPDATE SET parallelism = excluded.parallelism, "
         "max_parallelism = excluded.max_parallelism RETURNING id"},
        // After rescaling to fewer: their state went to those that are left.
        {&writer.drop_operators_, "DELETE FROM operator WHERE uid = ? AND subtask >= ?"},
        {&writer.put_state_,
         "INSERT INTO state (operator, name, kind, key_type, value_type, ttl) "
         "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (operator, name, kind) DO UPDATE SET "
         "key_type = excluded.key_type, value_type = excluded.value_type, ttl = excluded.ttl "
         "RETURNING id"},
        {&writer.clear_, "DELETE FROM entry WHERE state = ?"},
        {&writer.put_,
         "INSERT INTO entry (state, key, value) VALUES (?, ?, ?) "
         "ON CONFLICT (state, key) DO UPDATE SET value = excluded.value"},
        {&writer.erase_, "DELETE FROM entry WHERE state = ? AND key = ?"},
    }};
    for (const auto& [statement, sql] : all) {
      auto prepared = database.prepare(sql);
      if (!prepared) return std::move(prepared).error();
      *statement = std::move(*prepared);
    }
    return writer;
  }

  Result<std::int64_t> put_operator(const OperatorInfo& info) {
    drop_operators_.bind_text(1, info.uid);
    drop_operators_.bind(2, std::int64_t{info.parallelism});
    SLUICE_RETURN_IF_ERROR(drop_operators_.run());
    put_operator_.bind_text(1, info.uid);
    put_operator_.bind(2, std::int64_t{info.subtask});
    put_operator_.bind(3, std::int64_t{info.parallelism});
    put_operator_.bind(4, std::int64_t{info.max_parallelism});
    return returned_id(put_operator_);
  }

  Status put_state(std::int64_t owner, const CheckpointDelta::State& state) {
    put_state_.bind(1, owner);
    put_state_.bind_text(2, state.info.name);
    put_state_.bind_text(3, to_string(state.info.kind));
    put_state_.bind_text(4, state.info.key_type);
    put_state_.bind_text(5, state.info.value_type);
    put_state_.bind(6, std::int64_t{state.info.ttl});
    auto id = returned_id(put_state_);
    if (!id) return std::move(id).error();
    if (state.full) {
      clear_.bind(1, *id);
      SLUICE_RETURN_IF_ERROR(clear_.run());
    }
    for (const CheckpointDelta::Row& row : state.rows) SLUICE_RETURN_IF_ERROR(put_row(*id, row));
    return {};
  }

 private:
  Status put_row(std::int64_t state, const CheckpointDelta::Row& row) {
    Statement& statement = row.value ? put_ : erase_;
    statement.bind(1, state);
    bind_datum(statement, 2, row.key, ColumnUse::kKey, key_text_);
    if (row.value) bind_datum(statement, 3, *row.value, ColumnUse::kValue, value_text_);
    return statement.run();
  }

  static Result<std::int64_t> returned_id(Statement& statement) {
    auto row = statement.step();
    if (!row) return std::move(row).error();
    const std::int64_t id = statement.integer(0);
    SLUICE_RETURN_IF_ERROR(statement.run());  // to its end, where it takes effect
    return id;
  }

  Statement put_operator_, drop_operators_, put_state_, clear_, put_, erase_;
  std::string key_text_;
  std::string value_text_;
};

}  // namespace

Status CheckpointStore::write(const CheckpointMeta& meta, const CheckpointDelta& delta,
                              std::span<const Publication> outbox) {
  SLUICE_RETURN_IF_ERROR(check_untouched());
  Status status = write_all(meta, delta, outbox);
  if (status) written_sequence_ = meta.journal_sequence;
  note_files();
  return status;
}

Status CheckpointStore::write_all(const CheckpointMeta& meta, const CheckpointDelta& delta,
                                  std::span<const Publication> outbox) {
  crash_point("checkpoint.before-begin");
  auto transaction = Transaction::begin(database_);
  if (!transaction) return std::move(transaction).error();
  SLUICE_RETURN_IF_ERROR(write_state(delta));
  SLUICE_RETURN_IF_ERROR(write_outbox(outbox));
  {
    auto put = database_.prepare(
        "INSERT INTO checkpoint (id, taken_at, journal_sequence, extras) "
        "VALUES ((SELECT ifnull(max(id), 0) + 1 FROM checkpoint), ?, ?, ?)");
    if (!put) return std::move(put).error();
    std::string scratch;
    put->bind(1, std::int64_t{meta.taken_at});
    put->bind(2, to_column(meta.journal_sequence));
    bind_datum(*put, 3, meta.extras, ColumnUse::kValue, scratch);
    SLUICE_RETURN_IF_ERROR(put->run());
  }
  SLUICE_RETURN_IF_ERROR(
      database_.execute("DELETE FROM checkpoint WHERE id < (SELECT max(id) FROM checkpoint)"));
  crash_point("checkpoint.before-commit");
  SLUICE_RETURN_IF_ERROR(transaction->commit());
  crash_point("checkpoint.after-commit");
  return {};
}

Status CheckpointStore::write_state(const CheckpointDelta& delta) {
  auto writer = StateWriter::prepare(database_);
  if (!writer) return std::move(writer).error();
  std::vector<std::int64_t> owners;
  for (const OperatorInfo& info : delta.operators()) {
    auto id = writer->put_operator(info);
    if (!id) return std::move(id).error();
    owners.push_back(*id);
  }
  for (const CheckpointDelta::State& state : delta.states()) {
    SLUICE_RETURN_IF_ERROR(writer->put_state(owners[state.operator_index], state));
  }
  return {};
}

// Most of a long outbox is the same as last time, so only the difference is written.
Status CheckpointStore::write_outbox(std::span<const Publication> outbox) {
  using Key = std::tuple<std::int64_t, std::int64_t, std::string>;
  std::set<Key> gone;
  auto listing = database_.prepare("SELECT sequence, ordinal, topic FROM outbox");
  auto drop =
      database_.prepare("DELETE FROM outbox WHERE sequence = ? AND ordinal = ? AND topic = ?");
  auto put = database_.prepare(
      "INSERT INTO outbox (sequence, ordinal, topic, urgency, payload, qos, retain) "
      "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sequence, ordinal, topic) DO UPDATE SET "
      "urgency = excluded.urgency, payload = excluded.payload, qos = excluded.qos, "
      "retain = excluded.retain WHERE payload IS NOT excluded.payload");
  for (auto* statement : {&listing, &drop, &put}) {
    if (!*statement) return statement->error();
  }
  for (;;) {
    auto row = listing->step();
    if (!row) return std::move(row).error();
    if (!*row) break;
    gone.emplace(listing->integer(0), listing->integer(1), std::string{listing->bytes(2)});
  }
  for (const Publication& publication : outbox) {
    const std::int64_t sequence = to_column(publication.id.sequence);
    gone.erase({sequence, publication.id.ordinal, publication.topic});
    put->bind(1, sequence);
    put->bind(2, std::int64_t{publication.id.ordinal});
    put->bind_text(3, publication.topic);
    put->bind_text(4, kUrgencyWords[static_cast<std::size_t>(publication.urgency)]);
    if (is_clean_text(publication.payload)) {
      put->bind_text(5, publication.payload);
    } else {
      put->bind_blob(5, publication.payload);
    }
    put->bind(6, std::int64_t{publication.qos});
    put->bind(7, std::int64_t{publication.retain});
    SLUICE_RETURN_IF_ERROR(put->run());
  }
  for (const auto& [sequence, ordinal, topic] : gone) {
    drop->bind(1, sequence);
    drop->bind(2, ordinal);
    drop->bind_text(3, topic);
    SLUICE_RETURN_IF_ERROR(drop->run());
  }
  return {};
}

Result<LoadedCheckpoint> CheckpointStore::load() {
  LoadedCheckpoint loaded;
  auto meta = database_.prepare(
      "SELECT taken_at, journal_sequence, extras FROM checkpoint ORDER BY id DESC LIMIT 1");
  if (!meta) return std::move(meta).error();
  auto row = meta->step();
  if (!row) return std::move(row).error();
  if (!*row) return loaded;
  loaded.exists = true;
  loaded.meta.taken_at = meta->integer(0);
  loaded.meta.journal_sequence = from_column(meta->integer(1));
  auto extras = column_datum(*meta, 2);
  if (!extras) return corrupt(database_, extras.error().message());
  loaded.meta.extras = std::move(*extras);
  SLUICE_RETURN_IF_ERROR(load_state(loaded.job));
  SLUICE_RETURN_IF_ERROR(load_outbox(loaded.outbox));
  return loaded;
}

Status CheckpointStore::load_state(JobSnapshot& job) {
  auto rows = database_.prepare(
      "SELECT operator.id, uid, subtask, parallelism, max_parallelism, "
      "       state.id, name, kind, key_type, value_type, ttl "
      "FROM operator LEFT JOIN state ON state.operator = operator.id "
      "ORDER BY operator.id, state.id");
  if (!rows) return std::move(rows).error();
  // One query for each state: joined with the above, millions of rows would carry all of it.
  auto entries = database_.prepare("SELECT key, value FROM entry WHERE state = ? ORDER BY key");
  if (!entries) return std::move(entries).error();
  std::optional<std::int64_t> operator_id;  // a damaged file may have any number as an id
  for (;;) {
    auto row = rows->step();
    if (!row) return std::move(row).error();
    if (!*row) return {};
    const auto small = [&](int column) {
      return static_cast<std::uint32_t>(rows->integer(column));
    };
    const auto text = [&](int column) { return std::string{rows->bytes(column)}; };
    if (std::exchange(operator_id, rows->integer(0)) != rows->integer(0)) {
      job.operators.push_back({{text(1), small(2), small(3), small(4)}, {}});
    }
    if (rows->type(5) == ColumnType::kNull) continue;  // an operator without states
    const auto kind = state_kind_from_word(rows->bytes(7));
    if (!kind)
      return corrupt(database_, "state kind '" + printable(rows->bytes(7)) + "' is unknown");
    auto& state = job.operators.back().states.emplace_back(
        StateSnapshot{{text(6), *kind, text(8), text(9), rows->integer(10) != 0}, {}});
    if (auto loaded = load_entries(*entries, rows->integer(5), state); !loaded) {
      return std::move(loaded).error().with_context("operator '" + printable(rows->bytes(1)) +
                                                    "', state '" + printable(state.info.name) +
                                                    "'");
    }
  }
}

Status CheckpointStore::load_entries(Statement& entries, std::int64_t id, StateSnapshot& state) {
  entries.bind(1, id);
  for (;;) {
    auto row = entries.step();
    if (!row) return std::move(row).error();
    if (!*row) return {};
    auto key = column_datum(entries, 0);
    auto value = column_datum(entries, 1);
    if (!key || !value) return corrupt(database_, (key ? value : key).error().message());
    state.rows.emplace_back(std::move(*key), std::move(*value));
  }
}

Status CheckpointStore::load_outbox(std::vector<Publication>& outbox) {
  auto rows = database_.prepare(
      "SELECT sequence, ordinal, topic, urgency, payload, qos, retain FROM outbox "
      "ORDER BY sequence, ordinal, topic");
  if (!rows) return std::move(rows).error();
  for (;;) {
    auto row = rows->step();
    if (!row) return std::move(row).error();
    if (!*row) return {};
    const auto urgency = urgency_from_word(rows->bytes(3));
    if (!urgency) {
      return corrupt(database_, "outbox urgency '" + printable(rows->bytes(3)) + "' is unknown");
    }
    outbox.push_back({{from_column(rows->integer(0)), static_cast<std::uint32_t>(rows->integer(1))},
                      *urgency,
                      std::string{rows->bytes(2)},
                      std::string{rows->bytes(4)},
                      static_cast<int>(rows->integer(5)),
                      rows->integer(6) != 0});
  }
}

}  // namespace sluice::storage
