// A directory that cannot be used, at the start or later, and files that somebody takes away.
#include <filesystem>

#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::storage {
namespace {

namespace fs = std::filesystem;

class JournalDirectory : public ::testing::Test {
 protected:
  std::unique_ptr<Journal> open() {
    return open_journal(journal_options(dir_ / "journal", 1024), log_);
  }
  std::string in(const std::string& name) const { return dir_ / ("journal/" + name); }
  /// Opens a journal that cannot use its directory, expects to be told why, and to have it once
  /// `repair` has been called.
  template <class Repair>
  void expect_watched_until(const std::string& cure, Repair repair) {
    auto journal = open();
    EXPECT_FALSE(journal->health().durable);
    EXPECT_NE(journal->health().reason.find(dir_ / "journal"), std::string::npos);
    EXPECT_NE(journal->health().reason.find(cure), std::string::npos) << journal->health().reason;
    EXPECT_FALSE(journal->append_message(message("t", "in memory")).stored);
    repair();
    EXPECT_TRUE(journal->append_message(message("t", "back")).stored);
    EXPECT_TRUE(journal->health().durable);
    EXPECT_EQ(read_journal(dir_ / "journal", log_).back().payload, "back");
  }

  TempDir dir_;
  RecordingLog log_;
};

TEST_F(JournalDirectory, WithAFileInItsPlaceIsWatchedInMemoryUntilItIsGone) {
  overwrite_file(dir_ / "journal", "not a directory");
  expect_watched_until("is not a folder: move it away", [&] { fs::remove(dir_ / "journal"); });
}

TEST_F(JournalDirectory, ThatIsALinkToNowhereIsWatchedInMemoryUntilItLeadsSomewhere) {
  fs::create_directory_symlink(dir_ / "disk", dir_ / "journal");
  expect_watched_until("is a link to something that is not there",
                       [&] { fs::create_directory(dir_ / "disk"); });
}

TEST_F(JournalDirectory, ThatComesBackWithFilesIsNotWrittenOver) {
  open()->append_message(message("t", "old"));
  fs::rename(dir_ / "journal", dir_ / "elsewhere");
  overwrite_file(dir_ / "journal", "not a directory");
  auto journal = open();
  EXPECT_TRUE(journal->numbers_unknown());
  journal->continue_after(1000);  // as the engine does then
  fs::remove(dir_ / "journal");
  fs::rename(dir_ / "elsewhere", dir_ / "journal");
  EXPECT_TRUE(journal->append_message(message("t", "new")).stored);
  JournalReader reader{dir_ / "journal", 1, log_};
  JournalRecord record;
  ASSERT_TRUE(*reader.next(record));
  EXPECT_EQ(record.payload, "old");
  ASSERT_TRUE(*reader.next(record));
  EXPECT_EQ(record.payload, "new");
  EXPECT_EQ(record.sequence, 1001U);
  EXPECT_EQ(reader.holes().count, 0U) << "nothing was stored in between";
}

TEST_F(JournalDirectory, ThatIsRemovedMeanwhileIsMadeAgainAndACheckpointAskedFor) {
  auto journal = open();
  journal->append_message(message("t", "lost"));
  EXPECT_EQ(journal->health().loss, "");
  fs::remove_all(dir_ / "journal");
  journal->try_disk(5);
  const JournalHealth found = journal->health();
  EXPECT_TRUE(found.durable);
  EXPECT_NE(found.loss.find(dir_ / "journal"), std::string::npos);
  EXPECT_EQ(found.losses, 1U);
  EXPECT_EQ(found.removed_files, 1U);
  EXPECT_EQ(found.loss_through, 1U) << "the last record that went there";
  EXPECT_EQ(fs::exists(in("00000002.log")), true) << "a new one, at once";
  EXPECT_TRUE(Journal::open(journal_options(dir_ / "journal"), log_).error().code() ==
              ErrorCode::kConflict)
      << "locked as the old one was";
  journal->need_from(2);
  EXPECT_EQ(journal->health().loss_through, 0U);
  EXPECT_NE(journal->health().loss, "") << "spoken of for some seconds all the same";
}

TEST_F(JournalDirectory, ThatIsReplacedMeanwhileIsGoneOnWith) {
  auto journal = open();
  journal->append_message(message("t", "lost"));
  fs::rename(dir_ / "journal", dir_ / "elsewhere");
  fs::create_directory(dir_ / "journal");
  fs::copy(dir_ / "elsewhere", dir_ / "journal");
  overwrite_file(in("00000007.log"), "somebody else's");
  journal->try_disk(5);
  EXPECT_EQ(journal->health().losses, 1U);
  EXPECT_TRUE(journal->append_message(message("t", "new")).stored);
  EXPECT_TRUE(fs::exists(in("00000008.log")));
}

TEST_F(JournalDirectory, FromWhichOneFileIsRemovedMeanwhileMissesIt) {
  auto journal = open();
  for (int n = 1; n <= 100; ++n) journal->append_message(message("t", std::to_string(n)));
  const std::uint64_t segments = journal->health().segments;
  ASSERT_GT(segments, 3U);
  fs::remove(in("00000002.log"));
  journal->try_disk(5);
  EXPECT_EQ(journal->health().losses, 1U);
  EXPECT_EQ(journal->health().segments, segments - 1);
  EXPECT_TRUE(journal->append_message(message("t", "new")).stored);
  EXPECT_FALSE(fs::exists(in("00000099.log")));
}

TEST_F(JournalDirectory, IsLookedAtWithoutEffectWhereAllIsWell) {
  auto journal = open();
  journal->append_message(message("t", "x"));
  journal->try_disk(5);
  EXPECT_EQ(journal->last_sequence(), 1U);
  EXPECT_EQ(journal->health().losses, 0U);
  EXPECT_EQ(log_.problems(), 0);
}

TEST_F(JournalDirectory, FindsOutByItselfThatTheDiskIsBack) {
  auto journal = open();
  fs::remove_all(dir_ / "journal");
  overwrite_file(dir_ / "journal", "not a directory");
  EXPECT_FALSE(journal->append_message(message("t", "x")).stored);
  journal->try_disk(5);
  EXPECT_EQ(journal->last_sequence(), 1U) << "what is not stored is no record";
  EXPECT_FALSE(journal->health().durable);
  fs::remove(dir_ / "journal");
  journal->try_disk(5);
  EXPECT_TRUE(journal->health().durable);
  EXPECT_EQ(journal->health().unstored, 1U);
  const auto records = read_journal(dir_ / "journal", log_);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].kind, JournalKind::kTick);
  EXPECT_EQ(records[0].sequence, 2U);
}

}  // namespace
}  // namespace sluice::storage
