#include "storage/sqlite/database.hpp"

#include <sqlite3.h>

#include <utility>

#include "storage/sqlite/counting_vfs.hpp"

namespace sluice::storage {
namespace {

ErrorCode code_of(int result) {
  switch (result & 0xFF) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return ErrorCode::kCorrupt;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return ErrorCode::kUnavailable;
    case SQLITE_FULL: return ErrorCode::kFull;
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_IOERR: return ErrorCode::kIo;
    default: return ErrorCode::kInternal;
  }
}

Error sqlite_error(const std::string& path, int result, const char* message) {
  std::string text = "database " + path + ": " + (message != nullptr ? message : "");
  if (message == nullptr || *message == '\0') text += sqlite3_errstr(result);
  if ((result & 0xFF) == SQLITE_BUSY) text += "; another program holds it, stop that one";
  return Error{code_of(result), std::move(text)};
}

Error failure(sqlite3* database, const std::string& path) {
  return sqlite_error(path, sqlite3_extended_errcode(database), sqlite3_errmsg(database));
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::bind(int parameter, std::int64_t value) {
  bind_error_ |= sqlite3_bind_int64(statement_.get(), parameter, value);
}

void Statement::bind(int parameter, double value) {
  bind_error_ |= sqlite3_bind_double(statement_.get(), parameter, value);
}

void Statement::bind_text(int parameter, std::string_view value) {
  // A null pointer would mean NULL, so that an empty view needs bytes of its own.
  bind_error_ |= sqlite3_bind_text64(statement_.get(), parameter, value.empty() ? "" : value.data(),
                                     value.size(), nullptr, SQLITE_UTF8);
}

void Statement::bind_blob(int parameter, std::string_view value) {
  bind_error_ |= sqlite3_bind_blob64(statement_.get(), parameter, value.empty() ? "" : value.data(),
                                     value.size(), nullptr);
}

void Statement::bind_null(int parameter) {
  bind_error_ |= sqlite3_bind_null(statement_.get(), parameter);
}

Result<bool> Statement::step() {
  sqlite3_stmt* const statement = statement_.get();
  if (std::exchange(bind_error_, SQLITE_OK) != SQLITE_OK) {
    return failure(sqlite3_db_handle(statement), path_).with_context("bind a parameter");
  }
  const int result = sqlite3_step(statement);
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) {
    sqlite3_reset(statement);
    return false;
  }
  Error error = failure(sqlite3_db_handle(statement), path_);
  sqlite3_reset(statement);
  return error;
}

Status Statement::run() {
  auto row = step();
  if (!row) return std::move(row).error();
  if (*row) sqlite3_reset(statement_.get());
  return {};
}

ColumnType Statement::type(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_INTEGER: return ColumnType::kInteger;
    case SQLITE_FLOAT: return ColumnType::kReal;
    case SQLITE_TEXT: return ColumnType::kText;
    case SQLITE_BLOB: return ColumnType::kBlob;
    default: return ColumnType::kNull;
  }
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string_view Statement::bytes(int column) const {
  // First the pointer, then the size: the other order may convert in between.
  const void* data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Result<Database> Database::open(const std::string& path, const DatabaseOptions& options) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  if (options.read_only) {
    flags |= SQLITE_OPEN_READONLY;
  } else {
    flags |= SQLITE_OPEN_READWRITE | (options.create ? SQLITE_OPEN_CREATE : 0);
  }
  std::shared_ptr<const CountingVfs> vfs;
  if (options.written_bytes != nullptr) {
    vfs = std::make_shared<const CountingVfs>(*options.written_bytes);
  }
  sqlite3* raw = nullptr;
  const int result = sqlite3_open_v2(path.c_str(), &raw, flags, name_of(vfs));
  Database database;
  database.database_ = Handle{raw, Close{std::move(vfs)}};
  database.path_ = path;
  database.options_ = options;
  if (result != SQLITE_OK) {
    return sqlite_error(path, result, raw != nullptr ? sqlite3_errmsg(raw) : nullptr);
  }
  sqlite3_busy_timeout(raw, options.busy_timeout_ms);
  std::string setup =
      "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; "
      "SELECT count(*) FROM sqlite_schema;";
  if (!options.read_only) {
    setup += "PRAGMA journal_mode = WAL; PRAGMA synchronous = ";
    setup += options.synchronous_full ? "FULL;" : "NORMAL;";
  }
  SLUICE_RETURN_IF_ERROR(database.execute(setup));
  return database;
}

Result<Statement> Database::prepare(std::string_view sql) {
  if (!database_) return closed();
  sqlite3_stmt* raw = nullptr;
  const int result = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  if (result != SQLITE_OK) return failure(database_.get(), path_);
  Statement statement;
  statement.statement_.reset(raw);
  statement.path_ = path_;
  return statement;
}

Status Database::execute(const std::string& sql) {
  if (!database_) return closed();
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return failure(database_.get(), path_);
}

Result<std::int64_t> Database::integer(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return std::move(statement).error();
  auto row = statement->step();
  if (!row) return std::move(row).error();
  if (!*row) return Error{ErrorCode::kNotFound, "database " + path_ + ": no row"};
  return statement->integer(0);
}

Status Database::quick_check() {
  auto statement = prepare("PRAGMA quick_check(1)");
  if (!statement) return std::move(statement).error();
  auto row = statement->step();
  if (!row) return std::move(row).error();
  if (*row && statement->bytes(0) == "ok") return {};
  return Error{ErrorCode::kCorrupt,
               "database " + path_ + ": quick_check says: " + std::string{statement->bytes(0)}};
}

const char* Database::name_of(const std::shared_ptr<const CountingVfs>& vfs) {
  return vfs ? vfs->name() : nullptr;
}

Status Database::copy_to(const std::string& path) {
  if (!database_) return closed();
  const auto& vfs = database_.get_deleter().vfs;
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(
      path.c_str(), &raw,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      name_of(vfs));
  const Handle target{raw, Close{vfs}};
  if (opened != SQLITE_OK) {
    return sqlite_error(path, opened, raw != nullptr ? sqlite3_errmsg(raw) : nullptr);
  }
  sqlite3_backup* backup = sqlite3_backup_init(raw, "main", database_.get(), "main");
  if (backup == nullptr) return failure(raw, path);
  const int copied = sqlite3_backup_step(backup, -1);
  const int finished = sqlite3_backup_finish(backup);
  if (copied == SQLITE_DONE && finished == SQLITE_OK) {
    // The copy says "WAL" as its original does; alone it shall be one plain file.
    const int plain = sqlite3_exec(raw, "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
    if (plain == SQLITE_OK) return {};
    return failure(raw, path);
  }
  const int result = copied == SQLITE_DONE ? finished : copied;
  return sqlite_error(path, result, sqlite3_errstr(result));
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(database_.get()) == 0; }

Result<Transaction> Transaction::begin(Database& database) {
  // IMMEDIATE: a lock held by somebody else is met here, not half way through.
  SLUICE_RETURN_IF_ERROR(database.execute("BEGIN IMMEDIATE"));
  return Transaction{database};
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_{std::exchange(other.database_, nullptr)} {}

Transaction::~Transaction() {
  if (database_ == nullptr || !database_->in_transaction()) return;
  // What fails here has been rolled back by SQLite itself, or will be when the file is next opened.
  if (auto status = database_->execute("ROLLBACK"); !status) return;
}

Status Transaction::commit() {
  if (!database_->in_transaction()) {
    return Error{ErrorCode::kIo, "database " + database_->path() +
                                     ": the transaction was rolled back before COMMIT"};
  }
  SLUICE_RETURN_IF_ERROR(database_->execute("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace sluice::storage
