#include "storage/checkpoint_store.hpp"

#include <functional>

#include "storage/schema.hpp"
#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::storage {
namespace {

namespace fs = std::filesystem;

OpenedStore open_store(const std::string& path, Log& log) {
  auto opened = CheckpointStore::open(path, log);
  if (!opened) throw std::runtime_error(opened.error().message());
  return std::move(*opened);
}

LoadedCheckpoint load(CheckpointStore& store) {
  auto loaded = store.load();
  if (!loaded) throw std::runtime_error(loaded.error().message());
  return std::move(*loaded);
}

OperatorInfo op(std::string uid, std::uint32_t subtask = 0, std::uint32_t parallelism = 1) {
  return {std::move(uid), subtask, parallelism, 128};
}

StateInfo state(std::string name, StateKind kind = StateKind::kValue) {
  return {std::move(name), kind, "text", "f64", false};
}

Publication alert(std::uint64_t sequence, std::uint32_t ordinal, std::string payload) {
  return {{sequence, ordinal},
          Urgency::kAlert,
          "sluice/a/alert/flood/weir",
          std::move(payload),
          1,
          false};
}

CheckpointDelta averages() {
  CheckpointDelta delta;
  delta.begin_operator(op("average"));
  delta.begin_state(state("mean", StateKind::kAggregating), true);
  delta.put(Datum{"weir 1"}, Datum{2.5});
  delta.put(Datum{"weir 2"}, Datum{Datum::Struct{{"count", Datum{2}}, {"mean", Datum{3.0}}}});
  return delta;
}

class CheckpointStoreTest : public ::testing::Test {
 protected:
  std::string path() const { return dir_ / "sluice.db"; }

  void write_once(std::uint64_t sequence) {
    OpenedStore opened = open_store(path(), log_);
    const Status written = opened.store->write({sequence, 1000, {}}, averages(), {});
    ASSERT_TRUE(written) << written.error().message();
  }

  TempDir dir_;
  RecordingLog log_;
};

TEST_F(CheckpointStoreTest, StartsEmpty) {
  OpenedStore opened = open_store(path(), log_);
  EXPECT_EQ(opened.outcome, StoreOutcome::kCreated);
  EXPECT_EQ(opened.notice, "");
  EXPECT_FALSE(load(*opened.store).exists);
  EXPECT_FALSE(opened.store->copy_sequence());
}

TEST_F(CheckpointStoreTest, GivesBackWhatWasWritten) {
  const Datum extras{Datum::Struct{{"last", Datum{Datum::List{Datum{1}, Datum{"x"}}}}}};
  const std::vector<Publication> outbox{
      alert(3, 0, R"({"id":"3-0"})"),
      alert(3, 1, "\xff\x00"),
      {{0, 0}, Urgency::kStatus, "sluice/a/status", "online", 1, true}};
  {
    OpenedStore opened = open_store(path(), log_);
    CheckpointDelta delta = averages();
    delta.begin_state(state("empty", StateKind::kMap), true);
    delta.begin_operator(op("stateless"));
    const Status written = opened.store->write({42, 1234, extras}, delta, outbox);
    ASSERT_TRUE(written) << written.error().message();
  }
  OpenedStore opened = open_store(path(), log_);
  EXPECT_EQ(opened.outcome, StoreOutcome::kOpened);
  const LoadedCheckpoint loaded = load(*opened.store);
  EXPECT_TRUE(loaded.exists);
  EXPECT_EQ(loaded.meta.journal_sequence, 42U);
  EXPECT_EQ(loaded.meta.taken_at, 1234);
  EXPECT_EQ(loaded.meta.extras, extras);
  ASSERT_EQ(loaded.outbox.size(), 3U);
  EXPECT_EQ(loaded.outbox[0], outbox[2]);
  EXPECT_EQ(loaded.outbox[1], outbox[0]);
  EXPECT_EQ(loaded.outbox[2], outbox[1]);
  ASSERT_EQ(loaded.job.operators.size(), 2U);
  const OperatorSnapshot& average = loaded.job.operators[0];
  EXPECT_EQ(average.info.uid, "average");
  EXPECT_EQ(average.info.max_parallelism, 128U);
  ASSERT_EQ(average.states.size(), 2U);
  EXPECT_EQ(average.states[0].info, state("mean", StateKind::kAggregating));
  ASSERT_EQ(average.states[0].rows.size(), 2U);
  EXPECT_EQ(average.states[0].rows[0], (std::pair<Datum, Datum>{Datum{"weir 1"}, Datum{2.5}}));
  EXPECT_TRUE(average.states[1].rows.empty());
  EXPECT_EQ(loaded.job.operators[1].info.uid, "stateless");
  EXPECT_TRUE(loaded.job.operators[1].states.empty());
}

TEST_F(CheckpointStoreTest, AppliesChangesToWhatIsThere) {
  OpenedStore opened = open_store(path(), log_);
  ASSERT_TRUE(opened.store->write({1, 1, {}}, averages(), {{alert(1, 0, "a")}}));
  CheckpointDelta change;
  change.begin_operator(op("average"));
  change.begin_state(state("mean", StateKind::kAggregating), false);
  change.put(Datum{"weir 1"}, Datum{9.0});
  change.erase(Datum{"weir 2"});
  change.put(Datum{"weir 3"}, Datum{1.0});
  ASSERT_TRUE(opened.store->write({2, 2, {}}, change, {{alert(2, 0, "b")}}));
  LoadedCheckpoint loaded = load(*opened.store);
  const auto& rows = loaded.job.operators.at(0).states.at(0).rows;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].second, Datum{9.0});
  EXPECT_EQ(rows[1].first, Datum{"weir 3"});
  ASSERT_EQ(loaded.outbox.size(), 1U);
  EXPECT_EQ(loaded.outbox[0].payload, "b");

  CheckpointDelta full;
  full.begin_operator(op("average"));
  full.begin_state(state("mean", StateKind::kAggregating), true);
  full.put(Datum{"only"}, Datum{1.0});
  ASSERT_TRUE(opened.store->write({3, 3, {}}, full, {}));
  loaded = load(*opened.store);
  ASSERT_EQ(loaded.job.operators.at(0).states.at(0).rows.size(), 1U);
  EXPECT_TRUE(loaded.outbox.empty());
}

TEST_F(CheckpointStoreTest, ForgetsSubtasksThatNoLongerExist) {
  OpenedStore opened = open_store(path(), log_);
  for (const std::uint32_t parallelism : {4U, 2U}) {
    CheckpointDelta delta;
    for (std::uint32_t subtask = 0; subtask < parallelism; ++subtask) {
      delta.begin_operator(op("average", subtask, parallelism));
      delta.begin_state(state("mean"), true);
      delta.put(Datum{"k" + std::to_string(subtask)}, Datum{1.0});
    }
    ASSERT_TRUE(opened.store->write({parallelism, 1, {}}, delta, {}));
    EXPECT_EQ(load(*opened.store).job.operators.size(), parallelism);
  }
}

TEST_F(CheckpointStoreTest, ADeltaThatCouldNotBeWrittenIsWrittenWithTheNextOne) {
  CheckpointDelta first = averages();
  CheckpointDelta second;
  second.begin_operator(op("other"));
  second.begin_operator(op("average"));
  second.begin_state(state("mean", StateKind::kAggregating), false);
  second.erase(Datum{"weir 1"});
  first.append(std::move(second));
  OpenedStore opened = open_store(path(), log_);
  ASSERT_TRUE(opened.store->write({1, 1, {}}, first, {}));
  const LoadedCheckpoint loaded = load(*opened.store);
  ASSERT_EQ(loaded.job.operators.size(), 2U);
  ASSERT_EQ(loaded.job.operators[0].states.at(0).rows.size(), 1U);
  EXPECT_EQ(loaded.job.operators[0].states[0].rows[0].first, Datum{"weir 2"});
}

TEST(CheckpointDeltaTest, KeepsNothingOfWhatAFullOneMakesVoid) {
  CheckpointDelta delta = averages();
  ASSERT_FALSE(delta.states()[0].rows.empty());
  delta.append(averages());
  EXPECT_EQ(delta.states()[0].rows.capacity(), 0U);
  EXPECT_EQ(delta.states()[1].rows.size(), 2U);
}

TEST_F(CheckpointStoreTest, WritesAllOrNothing) {
  write_once(7);
  OpenedStore opened = open_store(path(), log_);
  DatabaseOptions impatient;
  impatient.busy_timeout_ms = 0;
  auto other = Database::open(path(), impatient);
  ASSERT_TRUE(other->execute(
      "CREATE TRIGGER no BEFORE INSERT ON checkpoint BEGIN SELECT raise(FAIL, 'no'); END"));
  CheckpointDelta change;
  change.begin_operator(op("average"));
  change.begin_state(state("mean", StateKind::kAggregating), true);
  EXPECT_FALSE(opened.store->write({8, 8, {}}, change, {{alert(8, 0, "x")}}));
  const LoadedCheckpoint loaded = load(*opened.store);
  EXPECT_EQ(loaded.meta.journal_sequence, 7U);
  EXPECT_EQ(loaded.job.operators.at(0).states.at(0).rows.size(), 2U);
  EXPECT_TRUE(loaded.outbox.empty());
}

TEST_F(CheckpointStoreTest, IsReadableWithPlainSql) {
  write_once(1);
  auto database = Database::open(path(), {});
  auto select = database->prepare("SELECT key, value FROM state_view WHERE operator = 'average'");
  ASSERT_TRUE(select) << select.error().message();
  ASSERT_TRUE(*select->step());
  EXPECT_EQ(select->bytes(0), "weir 1");
  EXPECT_EQ(select->real(1), 2.5);
  ASSERT_TRUE(*select->step());
  EXPECT_EQ(select->bytes(1), R"({"count":2,"mean":3.0})");
  EXPECT_EQ(*database->integer("SELECT count(*) FROM sqlite_schema WHERE sql NOT LIKE '%--%' AND "
                               "name NOT LIKE 'sqlite_%'"),
            0)
      << "each table says what it is";
}

TEST_F(CheckpointStoreTest, AnEmptyFileIsNoDamageButIsMentioned) {
  overwrite_file(path(), "");
  OpenedStore opened = open_store(path(), log_);
  EXPECT_EQ(opened.outcome, StoreOutcome::kCreated);
  EXPECT_NE(opened.notice.find(path()), std::string::npos);
}

TEST_F(CheckpointStoreTest, SetsAsideWhatIsNoDatabaseOfOurs) {
  const auto noise = [&] { overwrite_file(path(), std::string(5000, '#')); };
  const auto folder = [&] { fs::create_directory(path()); };
  const auto foreign = [&] {
    auto database = Database::open(path(), {});
    ASSERT_TRUE(database->execute("CREATE TABLE birds(name); PRAGMA application_id = 99"));
  };
  const auto cut = [&] {
    write_once(5);
    fs::resize_file(path(), fs::file_size(path()) / 2);
  };
  const auto scribbled = [&] {
    write_once(5);
    std::string content = file_content(path());
    for (std::size_t n = 4096; n < content.size(); ++n) content[n] = '?';
    overwrite_file(path(), content);
  };
  const std::vector<std::function<void()>> damages{noise, folder, foreign, cut, scribbled};
  std::size_t count = 0;
  for (const auto& damage : damages) {
    SCOPED_TRACE(count);
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(path() + suffix);
    damage();
    OpenedStore opened = open_store(path(), log_);
    EXPECT_EQ(opened.outcome, StoreOutcome::kStartedAfresh);
    EXPECT_NE(opened.notice.find(".damaged-"), std::string::npos);
    EXPECT_FALSE(load(*opened.store).exists);
    ASSERT_TRUE(opened.store->write({1, 1, {}}, averages(), {}));
    ++count;
    std::size_t kept = 0;
    for (const std::string& name : dir_.names()) {
      const bool main_file = !name.ends_with("-wal") && !name.ends_with("-shm");
      if (name.starts_with("sluice.db.damaged-") && main_file) ++kept;
    }
    EXPECT_EQ(kept, count);
  }
}

TEST_F(CheckpointStoreTest, AnEmptyFileBesideACopyIsDamage) {
  {
    OpenedStore opened = open_store(path(), log_);
    ASSERT_TRUE(opened.store->write({10, 1, {}}, averages(), {}));
    ASSERT_TRUE(opened.store->keep_copy());
  }
  for (const char* suffix : {"-wal", "-shm"}) fs::remove(path() + suffix);
  overwrite_file(path(), "");
  OpenedStore opened = open_store(path(), log_);
  EXPECT_EQ(opened.outcome, StoreOutcome::kFromCopy);
  EXPECT_EQ(load(*opened.store).meta.journal_sequence, 10U);
}

TEST_F(CheckpointStoreTest, FallsBackToThePreviousCopy) {
  {
    OpenedStore opened = open_store(path(), log_);
    ASSERT_TRUE(opened.store->write({10, 1, {}}, averages(), {}));
    const Status kept = opened.store->keep_copy();
    ASSERT_TRUE(kept) << kept.error().message();
    EXPECT_EQ(opened.store->copy_sequence(), 10U);
    ASSERT_TRUE(opened.store->write({20, 2, {}}, CheckpointDelta{}, {}));
  }
  {
    OpenedStore opened = open_store(path(), log_);
    EXPECT_EQ(opened.store->copy_sequence(), 10U);
    EXPECT_EQ(load(*opened.store).meta.journal_sequence, 20U);
  }
  overwrite_file(path(), std::string(5000, '#'));
  {
    OpenedStore opened = open_store(path(), log_);
    EXPECT_EQ(opened.outcome, StoreOutcome::kFromCopy);
    EXPECT_NE(opened.notice.find("previous copy"), std::string::npos);
    EXPECT_EQ(load(*opened.store).meta.journal_sequence, 10U);
    EXPECT_EQ(load(*opened.store).job.operators.at(0).states.at(0).rows.size(), 2U);
    ASSERT_TRUE(opened.store->write({30, 3, {}}, CheckpointDelta{}, {}));
  }
  fs::remove(path());  // as after a kill in the middle of setting aside
  OpenedStore opened = open_store(path(), log_);
  EXPECT_EQ(opened.outcome, StoreOutcome::kFromCopy);
  EXPECT_EQ(load(*opened.store).meta.journal_sequence, 10U);
}

TEST_F(CheckpointStoreTest, DoesNotFallBackToADamagedCopy) {
  write_once(10);
  overwrite_file(path(), std::string(5000, '#'));
  overwrite_file(path() + ".previous", std::string(5000, '#'));
  OpenedStore opened = open_store(path(), log_);
  EXPECT_EQ(opened.outcome, StoreOutcome::kStartedAfresh);
  EXPECT_TRUE(fs::exists(path() + ".previous"));
}

TEST_F(CheckpointStoreTest, NoticesARowThatIsNotOneOfOurs) {
  write_once(10);
  {
    auto database = Database::open(path(), {});
    ASSERT_TRUE(database->execute("UPDATE entry SET value = '{broken'"));
  }
  std::string reason;
  {
    OpenedStore opened = open_store(path(), log_);
    auto loaded = opened.store->load();
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code(), ErrorCode::kCorrupt);
    EXPECT_NE(loaded.error().message().find("operator 'average'"), std::string::npos);
    reason = loaded.error().message();
  }
  auto replaced = CheckpointStore::replace(path(), reason, log_);
  ASSERT_TRUE(replaced);
  EXPECT_EQ(replaced->outcome, StoreOutcome::kStartedAfresh);
}

TEST_F(CheckpointStoreTest, TakesAnyNumberAsTheIdOfAnOperator) {
  write_once(10);
  const LoadedCheckpoint before = load(*open_store(path(), log_).store);
  ASSERT_EQ(before.job.operators.size(), 1U);
  {
    auto database = Database::open(path(), {});
    ASSERT_TRUE(database->execute("PRAGMA foreign_keys = OFF"));
    ASSERT_TRUE(database->execute("UPDATE operator SET id = 0"));
    ASSERT_TRUE(database->execute("UPDATE state SET operator = 0"));
  }
  OpenedStore opened = open_store(path(), log_);
  auto loaded = opened.store->load();
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_EQ(loaded->job.operators.size(), 1U);
  const auto& states = loaded->job.operators.front().states;
  ASSERT_EQ(states.size(), before.job.operators.front().states.size());
  EXPECT_EQ(states.front().rows, before.job.operators.front().states.front().rows);
}

TEST_F(CheckpointStoreTest, RefusesANewerSchemaAndTouchesNothing) {
  write_once(10);
  {
    auto database = Database::open(path(), {});
    ASSERT_TRUE(database->execute("PRAGMA user_version = 1000"));
  }
  auto opened = CheckpointStore::open(path(), log_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), ErrorCode::kVersion);
  EXPECT_NE(opened.error().message().find("schema version 1000"), std::string::npos);
  EXPECT_NE(opened.error().message().find("understands up to"), std::string::npos);
  EXPECT_EQ(dir_.count_starting_with("sluice.db.damaged"), 0U);
}

TEST_F(CheckpointStoreTest, ReadsADatabaseOfVersionOne) {
  {
    auto database = Database::open(path(), {});
    const Status made =
        database->execute(file_content(SLUICE_SOURCE_DIR "/tests/golden/checkpoint/v1.sql"));
    ASSERT_TRUE(made) << made.error().message();
  }
  OpenedStore opened = open_store(path(), log_);
  EXPECT_EQ(opened.outcome, StoreOutcome::kOpened);
  const LoadedCheckpoint loaded = load(*opened.store);
  EXPECT_EQ(loaded.meta.journal_sequence, 4711U);
  ASSERT_EQ(loaded.job.operators.size(), 2U);
  const auto& average = loaded.job.operators[0].states.at(0);
  EXPECT_EQ(average.info.kind, StateKind::kAggregating);
  ASSERT_EQ(average.rows.size(), 1U);
  EXPECT_EQ(average.rows[0].second,
            Datum(Datum::Struct{{"count", Datum{2}}, {"mean", Datum{3.5}}}));
  const auto& timers = loaded.job.operators[1].states.at(0);
  EXPECT_EQ(timers.info.kind, StateKind::kProcessingTimers);
  EXPECT_EQ(timers.rows.at(0).second, Datum{true});
  ASSERT_EQ(loaded.outbox.size(), 1U);
  EXPECT_EQ(loaded.outbox[0].urgency, Urgency::kAlert);
}

TEST_F(CheckpointStoreTest, NoticesBeforeItWritesThatTheFileIsNotItsOwnAnyMore) {
  write_once(1);
  const std::function<void()> wrongs[] = {[&] { fs::remove(path()); },
                                          [&] {
                                            fs::copy_file(path(), path() + ".other");
                                            fs::rename(path() + ".other", path());
                                          },
                                          [&] { std::ofstream{path()} << std::string(9000, 'x'); }};
  for (const auto& wrong : wrongs) {
    OpenedStore opened = open_store(path(), log_);
    ASSERT_TRUE(opened.store->write({2, 1000, {}}, averages(), {}));
    ASSERT_TRUE(Database::open(path(), {})->execute("PRAGMA wal_checkpoint(TRUNCATE)"));
    wrong();
    const Status refused = opened.store->write({3, 1000, {}}, averages(), {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), ErrorCode::kCorrupt) << refused.error().message();
    EXPECT_NE(refused.error().message().find("while sluice was using it"), std::string::npos);
    opened.store.reset();
    auto rebuilt = CheckpointStore::rebuild(path(), "reason", {4, 1000, {}}, averages(), {}, log_);
    ASSERT_TRUE(rebuilt) << rebuilt.error().message();
    EXPECT_EQ(rebuilt->outcome, StoreOutcome::kRebuilt);
    EXPECT_EQ(load(*rebuilt->store).meta.journal_sequence, 4U);
    EXPECT_TRUE(rebuilt->store->write({5, 1000, {}}, averages(), {}));
  }
}

TEST_F(CheckpointStoreTest, BearsThatAPersonLooksIntoTheFile) {
  OpenedStore opened = open_store(path(), log_);
  ASSERT_TRUE(opened.store->write({1, 1000, {}}, averages(), {}));
  auto person = Database::open(path(), {});
  ASSERT_TRUE(person->integer("SELECT count(*) FROM entry"));
  ASSERT_TRUE(person->execute("PRAGMA wal_checkpoint(TRUNCATE)"));
  fs::last_write_time(path(), fs::file_time_type::clock::now());
  EXPECT_TRUE(opened.store->write({2, 1000, {}}, averages(), {}));
  EXPECT_EQ(load(*opened.store).meta.journal_sequence, 2U);
}

TEST_F(CheckpointStoreTest, GivesTheCopyToWhoeverCannotHaveTheFile) {
  EXPECT_EQ(CheckpointStore::load_copy(path()).error().code(), ErrorCode::kNotFound);
  {
    OpenedStore opened = open_store(path(), log_);
    ASSERT_TRUE(opened.store->write({1, 1000, {}}, averages(), {}));
    ASSERT_TRUE(opened.store->keep_copy());
    ASSERT_TRUE(opened.store->write({2, 1000, {}}, averages(), {}));
  }
  auto other = Database::open(path(), {});
  ASSERT_TRUE(other->execute("BEGIN IMMEDIATE"));
  DatabaseOptions impatient;
  impatient.busy_timeout_ms = 1;
  EXPECT_EQ(CheckpointStore::probe(path(), impatient).error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(CheckpointStore::load_copy(path())->meta.journal_sequence, 1U);
  ASSERT_TRUE(other->execute("ROLLBACK"));
  EXPECT_TRUE(CheckpointStore::probe(path(), impatient));
}

TEST(Schema, MigratesStepByStepAndOnlyOnce) {
  TempDir dir;
  auto database = Database::open(dir / "a.db", {});
  const Migration steps[] = {{1, "CREATE TABLE t(a)"},
                             {2, "ALTER TABLE t ADD COLUMN b; INSERT INTO t VALUES (1, 2)"}};
  ASSERT_TRUE(migrate(*database, std::span{steps}.first(1)));
  EXPECT_EQ(*database->integer("PRAGMA user_version"), 1);
  ASSERT_TRUE(migrate(*database, steps));
  ASSERT_TRUE(migrate(*database, steps));
  EXPECT_EQ(*database->integer("SELECT count(*) FROM t WHERE b = 2"), 1);
  EXPECT_EQ(*database->integer("PRAGMA user_version"), 2);
  EXPECT_EQ(*database->integer("PRAGMA application_id"), kApplicationId);
}

TEST(Schema, AFailingStepLeavesTheVersionBefore) {
  TempDir dir;
  auto database = Database::open(dir / "a.db", {});
  const Migration steps[] = {{1, "CREATE TABLE t(a)"}, {2, "CREATE TABLE u(a); nonsense"}};
  EXPECT_FALSE(migrate(*database, steps));
  EXPECT_EQ(*database->integer("PRAGMA user_version"), 1);
  EXPECT_EQ(*database->integer("SELECT count(*) FROM sqlite_schema"), 1);
}

}  // namespace
}  // namespace sluice::storage
