// SQLite as values: a connection, a prepared statement, a transaction. With database.cpp the only
// place that knows sqlite3.h.
//
// One thread at a time per Database. Each failure is a Status that names the file and carries
// SQLite's own words; the code tells damage (kCorrupt) from a lock (kUnavailable), a full disk
// (kFull) and other refusals (kIo).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "pipeline/base/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace sluice::storage {

class CountingVfs;

struct DatabaseOptions {
  bool read_only{};
  bool create{true};
  bool synchronous_full{true};  ///< a commit survives a power cut; else only the file's soundness
  int busy_timeout_ms{5000};
  /// Grows by each byte that is written to files: database, log, copies. Outlives the database.
  std::atomic<std::uint64_t>* written_bytes{};
};

enum class ColumnType { kInteger, kReal, kText, kBlob, kNull };

/// A prepared statement. Must not outlive its Database. Parameters count from 1, columns from 0.
class Statement {
 public:
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);
  /// The bytes must stay as they are until the next step() has returned.
  void bind_text(int parameter, std::string_view value);
  void bind_blob(int parameter, std::string_view value);
  void bind_null(int parameter);

  /// True: there is a row. False: done, and ready for the next bind.
  Result<bool> step();
  /// For statements without rows.
  Status run();

  ColumnType type(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  /// Text or blob; valid until the next step().
  std::string_view bytes(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::string path_;
  int bind_error_{};
};

class Database {
 public:
  /// Opens with foreign keys on, and in WAL mode unless read-only. SQLite looks into the file at
  /// first use: that happens here, so a file that is no database fails here (kCorrupt).
  static Result<Database> open(const std::string& path, const DatabaseOptions& options);

  Result<Statement> prepare(std::string_view sql);
  /// Runs any number of statements without results.
  Status execute(const std::string& sql);
  /// The one integer that a query such as `PRAGMA user_version` gives.
  Result<std::int64_t> integer(std::string_view sql);
  /// "ok", or what is wrong, from `PRAGMA quick_check`. kCorrupt if it cannot even run.
  Status quick_check();
  /// A copy of the whole database, with what the WAL holds, as one file. Overwrites `path`.
  Status copy_to(const std::string& path);
  /// Whatever is asked of it from then on is refused (kIo). No statement of it may be left.
  void close() { database_.reset(); }
  /// Whether a transaction is open.
  bool in_transaction() const;
  const std::string& path() const { return path_; }
  /// As it was opened with.
  const DatabaseOptions& options() const { return options_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
    std::shared_ptr<const CountingVfs> vfs;  ///< goes when the database is closed; may be none
  };
  using Handle = std::unique_ptr<sqlite3, Close>;

  static const char* name_of(const std::shared_ptr<const CountingVfs>& vfs);
  Error closed() const { return Error{ErrorCode::kIo, "database " + path_ + " is not open"}; }

  Handle database_;
  std::string path_;
  DatabaseOptions options_;
};

/// Rolls back unless commit() succeeded.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  /// An error too where SQLite has rolled back on its own meanwhile (disk full, I/O error): then
  /// a COMMIT would commit nothing, or only what came after.
  Status commit();

 private:
  explicit Transaction(Database& database) : database_{&database} {}
  Database* database_;
};

}  // namespace sluice::storage
