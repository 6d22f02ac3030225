#include "storage/sqlite/database.hpp"

#include <atomic>
#include <filesystem>

#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::storage {
namespace {

Database open(const std::string& path, DatabaseOptions options = {}) {
  auto database = Database::open(path, options);
  if (!database) throw std::runtime_error(database.error().message());
  return std::move(*database);
}

Statement prepare(Database& database, std::string_view sql) {
  auto statement = database.prepare(sql);
  if (!statement) throw std::runtime_error(statement.error().message());
  return std::move(*statement);
}

TEST(Sqlite, BindsAndReadsEachType) {
  TempDir dir;
  Database database = open(dir / "a.db");
  ASSERT_TRUE(database.execute("CREATE TABLE t(a ANY) STRICT"));
  auto insert = prepare(database, "INSERT INTO t VALUES (?), (?), (?), (?), (?)");
  insert.bind(1, std::int64_t{-5});
  insert.bind(2, 2.5);
  insert.bind_text(3, "");
  insert.bind_blob(4, std::string_view{"a\0b", 3});
  insert.bind_null(5);
  ASSERT_TRUE(insert.run());
  auto select = prepare(database, "SELECT a FROM t ORDER BY rowid");
  ASSERT_TRUE(*select.step());
  EXPECT_EQ(select.type(0), ColumnType::kInteger);
  EXPECT_EQ(select.integer(0), -5);
  ASSERT_TRUE(*select.step());
  EXPECT_EQ(select.type(0), ColumnType::kReal);
  EXPECT_EQ(select.real(0), 2.5);
  ASSERT_TRUE(*select.step());
  EXPECT_EQ(select.type(0), ColumnType::kText);
  EXPECT_EQ(select.bytes(0), "");
  ASSERT_TRUE(*select.step());
  EXPECT_EQ(select.type(0), ColumnType::kBlob);
  EXPECT_EQ(select.bytes(0), (std::string_view{"a\0b", 3}));
  ASSERT_TRUE(*select.step());
  EXPECT_EQ(select.type(0), ColumnType::kNull);
  EXPECT_FALSE(*select.step());
}

TEST(Sqlite, IsInWalModeWithFullSyncAndForeignKeys) {
  TempDir dir;
  Database database = open(dir / "a.db");
  auto mode = prepare(database, "PRAGMA journal_mode");
  ASSERT_TRUE(*mode.step());
  EXPECT_EQ(mode.bytes(0), "wal");
  EXPECT_EQ(*database.integer("PRAGMA synchronous"), 2);
  EXPECT_EQ(*database.integer("PRAGMA foreign_keys"), 1);
}

TEST(Sqlite, RollsBackATransactionThatWasNotCommitted) {
  TempDir dir;
  Database database = open(dir / "a.db");
  ASSERT_TRUE(database.execute("CREATE TABLE t(a INTEGER)"));
  {
    auto transaction = Transaction::begin(database);
    ASSERT_TRUE(transaction);
    ASSERT_TRUE(database.execute("INSERT INTO t VALUES (1)"));
  }
  EXPECT_EQ(*database.integer("SELECT count(*) FROM t"), 0);
  {
    auto transaction = Transaction::begin(database);
    ASSERT_TRUE(database.execute("INSERT INTO t VALUES (1)"));
    ASSERT_TRUE(transaction->commit());
  }
  EXPECT_EQ(*database.integer("SELECT count(*) FROM t"), 1);
}

TEST(Sqlite, DoesNotCommitWhatWasRolledBackMeanwhile) {
  TempDir dir;
  Database database = open(dir / "a.db");
  auto transaction = Transaction::begin(database);
  ASSERT_TRUE(transaction);
  ASSERT_TRUE(database.execute("ROLLBACK"));
  EXPECT_FALSE(transaction->commit());
}

TEST(Sqlite, SaysWhichFileAndWhatIsWrong) {
  TempDir dir;
  overwrite_file(dir / "noise.db", std::string(5000, '#'));
  auto noise = Database::open(dir / "noise.db", {});
  ASSERT_FALSE(noise);
  EXPECT_EQ(noise.error().code(), ErrorCode::kCorrupt);
  EXPECT_NE(noise.error().message().find(dir / "noise.db"), std::string::npos);

  auto nowhere = Database::open(dir / "no/such/folder.db", {});
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code(), ErrorCode::kIo);

  Database database = open(dir / "a.db");
  EXPECT_FALSE(database.execute("SELECT nothing FROM nowhere"));
  EXPECT_FALSE(database.prepare("SELEKT"));
}

TEST(Sqlite, TellsALockFromDamage) {
  TempDir dir;
  Database first = open(dir / "a.db");
  DatabaseOptions impatient;
  impatient.busy_timeout_ms = 0;
  Database second = open(dir / "a.db", impatient);
  auto held = Transaction::begin(first);
  ASSERT_TRUE(held);
  auto refused = Transaction::begin(second);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kUnavailable);
}

std::uint64_t size_of(const std::string& path) { return std::filesystem::file_size(path); }

TEST(Sqlite, CountsEachByteThatIsWritten) {
  TempDir dir;
  std::atomic<std::uint64_t> written{0};
  DatabaseOptions options;
  options.written_bytes = &written;
  {
    Database database = open(dir / "a.db", options);
    ASSERT_TRUE(database.execute("PRAGMA wal_autocheckpoint = 0; CREATE TABLE t(a ANY) STRICT"));
    const std::uint64_t before = written - size_of(dir / "a.db-wal");
    for (int n = 0; n < 50; ++n) {
      ASSERT_TRUE(database.execute("INSERT INTO t VALUES (zeroblob(3000))"));
    }
    EXPECT_EQ(written - before, size_of(dir / "a.db-wal")) << "the log only grows";

    const std::uint64_t before_copy = written;
    ASSERT_TRUE(database.copy_to(dir / "copy.db"));
    EXPECT_GE(written - before_copy, size_of(dir / "copy.db"));

    const std::uint64_t before_move = written;
    auto moved = database.integer("PRAGMA wal_checkpoint(TRUNCATE)");
    ASSERT_TRUE(moved);
    EXPECT_EQ(size_of(dir / "a.db-wal"), 0U);
    EXPECT_GE(written - before_move, 50U * 3000) << "from the log into the database";
    EXPECT_LE(written - before_move, size_of(dir / "a.db"));
  }
  const std::uint64_t at_the_end = written;
  Database uncounted = open(dir / "a.db");
  ASSERT_TRUE(uncounted.execute("INSERT INTO t VALUES (1)"));
  EXPECT_EQ(written, at_the_end);
}

TEST(Sqlite, CountsIntoTheCounterOfEachDatabase) {
  TempDir dir;
  std::atomic<std::uint64_t> first{0};
  std::atomic<std::uint64_t> second{0};
  DatabaseOptions options;
  options.written_bytes = &first;
  Database a = open(dir / "a.db", options);
  options.written_bytes = &second;
  Database b = open(dir / "b.db", options);
  ASSERT_TRUE(b.execute("CREATE TABLE t(a ANY) STRICT"));
  const std::uint64_t only_first = first;
  const std::uint64_t only_second = second;
  a = std::move(b);
  ASSERT_TRUE(a.execute("INSERT INTO t VALUES (1)"));
  EXPECT_GT(second, only_second);
  EXPECT_LE(first, only_first + 8192) << "its log may have gone into it when it was closed";
}

TEST(Sqlite, CopiesWhatIsStillInTheWal) {
  TempDir dir;
  Database database = open(dir / "a.db");
  ASSERT_TRUE(database.execute("CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (7)"));
  ASSERT_TRUE(database.copy_to(dir / "b.db"));
  Database copy = open(dir / "b.db");
  EXPECT_EQ(*copy.integer("SELECT a FROM t"), 7);
  EXPECT_TRUE(copy.quick_check());
}

}  // namespace
}  // namespace sluice::storage
