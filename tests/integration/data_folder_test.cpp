// What may be wrong with the data folder, and that water is watched all the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <random>

#include "tests/integration/database.hpp"
#include "tests/integration/ledger.hpp"
#include "tests/integration/site.hpp"

namespace sluice::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const ExitStatus kOrderly{.code = 0, .signal = {}};
const ExitStatus kConfiguration{.code = 78, .signal = {}};

std::string noise(std::size_t size) {
  std::mt19937 random{7};
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

class DataFolder : public testing::Test {
 protected:
  std::filesystem::path database() const { return site_.data() / "sluice.db"; }
  void write(const std::filesystem::path& path, const std::string& bytes) {
    std::filesystem::create_directories(path.parent_path());
    site_.folder().write(std::filesystem::relative(path, site_.folder().path()).string(), bytes);
  }
  /// Readings are watched.
  void expect_watching() {
    site_.send("watched", 1);
    site_.send("watched", 50);
    EXPECT_EQ(number_at(site_.wait_for("alert/jump/watched").document, "value"), 50);
  }
  /// The status and an alert tell of the database, or of something else.
  void expect_told(const std::string& what, const std::string& code = "database") {
    const Told alert = site_.wait_for("alert/sluice/" + code);
    EXPECT_EQ(text_at(alert.document, "state"), "active");
    EXPECT_THAT(text_at(alert.document, "text"), HasSubstr(what));
    site_.wait_for_status([&](const Datum& status) {
      return at(status, "healthy") == Datum{false} &&
             at(status, "conditions").to_text().find(what) != std::string::npos;
    });
  }

  MosquittoBroker broker_;
  Site site_{broker_};
};

TEST_F(DataFolder, OfANewerSluiceIsRefusedAndLeftAlone) {
  site_.start();
  ASSERT_EQ(site_.stop(SIGTERM), kOrderly);
  execute(database(), "PRAGMA user_version = 99");
  site_.launch();
  EXPECT_EQ(site_.daemon().wait(), kConfiguration);
  EXPECT_THAT(site_.daemon().errors(), HasSubstr("has schema version 99"));
  EXPECT_THAT(site_.daemon().errors(), HasSubstr("install the sluice that wrote it"));
  EXPECT_EQ(query_one(database(), "PRAGMA user_version"), "99");
}

TEST_F(DataFolder, WithNoiseForADatabaseIsSetRight) {
  const std::string bytes = noise(20000);
  write(database(), bytes);
  site_.start();
  expect_told("not a database");
  expect_watching();
  const auto kept = files_starting(site_.data(), "sluice.db.damaged-");
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(read_file(kept.front()), bytes);
}

TEST_F(DataFolder, WithAnEmptyFileForADatabaseIsSetRight) {
  write(database(), "");
  site_.start();
  expect_told("was an empty file");
  expect_watching();
}

TEST_F(DataFolder, WithADirectoryForADatabaseIsSetRight) {
  std::filesystem::create_directories(database() / "inside");
  site_.start();
  expect_told("is not a file");
  expect_watching();
  const auto kept = files_starting(site_.data(), "sluice.db.damaged-");
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_TRUE(std::filesystem::exists(kept.front() / "inside"));
}

TEST_F(DataFolder, WhoseDatabaseIsDamagedGoesOnFromItsCopyAndTheJournal) {
  Ledger ledger{site_};
  site_.start();
  ledger.send_some(30);
  ledger.wait_for_values();
  ASSERT_EQ(site_.stop(SIGTERM), kOrderly);
  write(database(), noise(20000));
  site_.start();
  expect_told("the previous copy is used");
  ledger.send_some(30);
  ledger.expect_all();
}

TEST_F(DataFolder, WhoseDatabaseIsGoneGoesOnFromItsCopyAndTheJournal) {
  Ledger ledger{site_};
  site_.start();
  ledger.send_some(30);
  ledger.wait_for_values();
  ASSERT_EQ(site_.stop(SIGTERM), kOrderly);
  std::filesystem::remove(database());
  site_.start();
  ledger.send_some(30);
  ledger.expect_all();
}

TEST_F(DataFolder, WithForeignFilesInTheJournalIsNotDisturbed) {
  Ledger ledger{site_};
  site_.start();
  ledger.send_some(30);
  ledger.wait_for_values();
  site_.kill();
  write(site_.data() / "journal" / "00000009.log", noise(500));
  write(site_.data() / "journal" / "notes.txt", "remember the milk");
  site_.start();
  ledger.send_some(30);
  ledger.expect_all();
  EXPECT_EQ(read_file(site_.data() / "journal" / "notes.txt"), "remember the milk");
}

TEST_F(DataFolder, WithATornJournalGoesOnBehindTheTear) {
  site_.start();
  site_.send("mill", 50);
  site_.wait_for("value/mean/mill");
  site_.kill();
  const auto segment = site_.data() / "journal" / "00000001.log";
  write(segment, read_file(segment) + noise(37));
  site_.start();
  site_.send("mill", 70);
  EXPECT_EQ(number_at(site_.wait_for("alert/jump/mill").document, "value"), 70);
}

/// With a journal of many small segments.
class DataFolderWithAHole : public DataFolder {
 protected:
  DataFolderWithAHole() {
    site_.set_other_tables("[journal]\nsegment_size = \"64KiB\"\n");
    site_.write_config();
  }
  std::filesystem::path segment(int number) const {
    return site_.data() / "journal" / ("0000000" + std::to_string(number) + ".log");
  }
  void fill_segments() {
    const std::string fill(20'000, 'x');
    for (int n = 0; n < 20; ++n)
      site_.send_raw(R"({"sensor":"big","level":5,"fill":")" + fill + "\"}");
    site_.wait_for_status([](const Datum& status) { return number_at(status, "readings") == 20; });
  }
};

TEST_F(DataFolderWithAHole, SaysWhichRecordsAreMissingAndGoesOnBehindThem) {
  site_.start();
  fill_segments();
  site_.kill();
  ASSERT_TRUE(std::filesystem::remove(segment(3)));
  site_.start();
  expect_told("of the journal are missing before " + segment(4).string(), "journal-files");
  const Datum status = site_.wait_for_status(
      [](const Datum& all) { return number_at(all, "checkpoint", "written") > 0; });
  EXPECT_GE(number_at(status, "journal", "missing"), 3);
  expect_watching();
  site_.kill();
  site_.start();  // the checkpoint made up for it
  expect_watching();
  EXPECT_THAT(site_.daemon().errors(), Not(HasSubstr("are missing")));
}

TEST_F(DataFolderWithAHole, InFrontOfTheCheckpointMissesNothing) {
  site_.start();
  fill_segments();
  ASSERT_EQ(site_.stop(SIGTERM), kOrderly);
  std::filesystem::remove(segment(3));
  site_.start();
  expect_watching();
  EXPECT_THAT(site_.daemon().errors(), Not(HasSubstr("missing")));
}

TEST_F(DataFolder, WhoseJournalIsGoneSaysSoAndGoesOnFromTheCheckpoint) {
  Ledger ledger{site_};
  site_.start();
  ledger.send_some(30);
  ledger.wait_for_values();
  ASSERT_EQ(site_.stop(SIGTERM), kOrderly);
  std::filesystem::remove_all(site_.data() / "journal");
  site_.start();
  expect_told("nothing was found in the journal", "journal-files");
  ledger.send_some(30);
  ledger.expect_all();
}

TEST_F(DataFolder, WithAFileForAJournalIsWatchedUntilTheFolderCanBeMade) {
  Ledger ledger{site_};
  write(site_.data() / "journal", "not a folder");
  site_.start();
  expect_told("is not a folder: move it away", "journal");
  ledger.send_some(30);
  ledger.wait_for_values();
  std::filesystem::remove(site_.data() / "journal");
  site_.wait_for_status([](const Datum& status) {
    return at(status, "journal", "durable") == Datum{true} &&
           number_at(status, "checkpoint", "written") > 0;
  });
  site_.kill();  // what was in memory alone is in a checkpoint by now
  site_.start();
  ledger.send_some(30);
  ledger.expect_all();
}

TEST_F(DataFolder, IsForOneDaemonOnly) {
  site_.start();
  Process second{{.program = sluice_program(),
                  .arguments = {"run", "-c", site_.config().string()},
                  .environment = {},
                  .folder = {}}};
  const auto ended = second.wait();
  ASSERT_TRUE(ended);
  EXPECT_NE(ended->code.value_or(0), 0) << to_string(*ended);
  EXPECT_THAT(second.errors(), HasSubstr("is in use by another process"));
  expect_watching();
}

TEST_F(DataFolder, IsLeftAloneByASecondDaemonHoweverItLooks) {
  site_.start();
  write(database(), noise(20000));  // the first one has not noticed yet
  Process second{{.program = sluice_program(),
                  .arguments = {"run", "-c", site_.config().string()},
                  .environment = {},
                  .folder = {}}};
  const auto ended = second.wait();
  ASSERT_TRUE(ended);
  EXPECT_NE(ended->code.value_or(0), 0) << to_string(*ended);
  EXPECT_TRUE(files_starting(site_.data(), "sluice.db.damaged-").empty());
  EXPECT_EQ(read_file(database()), noise(20000));
}

TEST_F(DataFolder, ThatCannotBeMadeIsNamed) {
  write(site_.data(), "a file where the folder should be");
  site_.launch();
  const auto ended = site_.daemon().wait();
  ASSERT_TRUE(ended);
  EXPECT_NE(ended->code.value_or(0), 0);
  EXPECT_THAT(site_.daemon().errors(), HasSubstr(site_.data().string()));
}

TEST_F(DataFolder, CanBeReadWithSqlite) {
  site_.start();
  site_.send("mill", 10);
  site_.send("mill", 20);
  site_.wait_for("value/mean/mill",
                 [](const Datum& value) { return number_at(value, "value") == 15; });
  ASSERT_EQ(site_.stop(SIGTERM), kOrderly);
  EXPECT_EQ(query_one(database(), "SELECT key FROM state_view WHERE operator = 'mean'"), "mill");
  EXPECT_EQ(query_one(database(), "SELECT value FROM state_view WHERE operator = 'mean'"),
            R"({"count":2,"mean":15.0})");
  EXPECT_EQ(
      query_one(database(), "SELECT value ->> 'mean' FROM state_view WHERE operator = 'mean'"),
      "15.000000");
  EXPECT_THAT(query_one(database(), "SELECT group_concat(sql) FROM sqlite_schema"),
              HasSubstr("-- For people: select"));
}

/// A disk of some hundred kilobytes for the data folder alone: a file system in memory that only
/// the daemon sees, where the machine lets us; else a limit on the size of each of its files.
std::vector<std::string> with_a_small_disk(const Site& site) {
  const std::string run = "exec " + sluice_program().string() + " run -c " + site.config().string();
  const std::string mount = "mount -t tmpfs -o size=300k none " + site.data().string();
  std::vector<std::string> unshare{"unshare", "--mount"};
  if (::geteuid() != 0) unshare.emplace_back("--map-root-user");
  auto attempt = unshare;
  attempt.insert(attempt.end(), {"sh", "-c", mount});
  Process probe{{.program = attempt.front(),
                 .arguments = {attempt.begin() + 1, attempt.end()},
                 .environment = {},
                 .folder = {}}};
  if (probe.wait() != ExitStatus{.code = 0, .signal = {}})
    return {"sh", "-c", "ulimit -f 200; " + run};
  unshare.insert(unshare.end(), {"sh", "-c", mount + " && " + run});
  return unshare;
}

TEST_F(DataFolder, OnAFullDiskStillGivesAlerts) {
  std::filesystem::create_directories(site_.data());
  const auto command = with_a_small_disk(site_);
  site_.probe();
  site_.launch_by(command);
  ASSERT_TRUE(site_.daemon().wait_for_text("info    ready")) << site_.daemon().errors();
  site_.wait_for_subscriptions();
  const std::string fill(3000, 'x');
  for (int n = 0; n < 300; ++n) {
    site_.send_raw(R"({"sensor":"big","level":5,"fill":")" + fill + "\"}");
  }
  site_.wait_for_status([](const Datum& status) {
    return at(status, "journal", "durable") == Datum{false} && number_at(status, "readings") == 300;
  });
  expect_watching();
  site_.wait_for_status([](const Datum& status) {
    return at(status, "conditions").to_text().find("not durable") != std::string::npos;
  });
}

TEST_F(DataFolder, ThatMayHoldSmallFilesOnlyIsEnough) {
  site_.probe();
  site_.launch_by(
      {"sh", "-c",
       "ulimit -f 200; exec " + sluice_program().string() + " run -c " + site_.config().string()});
  ASSERT_TRUE(site_.daemon().wait_for_text("info    ready")) << site_.daemon().errors();
  site_.wait_for_subscriptions();
  const std::string fill(3000, 'x');
  for (int n = 0; n < 300; ++n) {
    site_.send_raw(R"({"sensor":"big","level":5,"fill":")" + fill + "\"}");
  }
  site_.wait_for_status([](const Datum& status) { return number_at(status, "readings") == 300; });
  expect_watching();
}

}  // namespace
}  // namespace sluice::test
