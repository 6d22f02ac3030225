// Records that the journal had and has no more: told apart from numbers that were never stored.
#include <filesystem>

#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::storage {
namespace {

namespace fs = std::filesystem;

class JournalHole : public ::testing::Test {
 protected:
  void SetUp() override { append(1, 200); }
  void append(int first, int last, std::uint64_t behind = 0) {
    auto journal = open_journal(journal_options(dir_.path(), 1024), log_);
    journal->continue_after(behind);
    for (int n = first; n <= last; ++n) journal->append_message(message("t", std::to_string(n)));
  }
  /// The numbers that one segment holds.
  std::pair<std::uint64_t, std::uint64_t> numbers_in(std::uint64_t segment) {
    auto cursor = SegmentCursor::open(segment_path(dir_.path(), segment));
    EXPECT_TRUE(cursor);
    RawRecord record;
    std::uint64_t last = 0;
    while (*cursor->next(record) == RecordCheck::kSound) last = record.sequence;
    return {cursor->header().first_sequence, last};
  }
  JournalHoles holes(std::uint64_t from) {
    JournalReader reader{dir_.path(), from, log_};
    JournalRecord record;
    std::uint64_t last = 0;
    while (*reader.next(record)) last = record.sequence;
    EXPECT_GE(last, 200U) << "what is behind the hole is not lost";
    return reader.holes();
  }
  void remove(std::uint64_t segment) { fs::remove(segment_path(dir_.path(), segment)); }

  TempDir dir_;
  RecordingLog log_;
};

TEST_F(JournalHole, LeftByARemovedSegmentIsFoundWithItsNumbersAndItsPlace) {
  const auto [first, last] = numbers_in(3);
  remove(3);
  const JournalHoles found = holes(1);
  EXPECT_EQ(found.count, 1U);
  EXPECT_EQ(found.records, last - first + 1);
  EXPECT_EQ(found.from, first);
  EXPECT_EQ(found.to, last);
  EXPECT_EQ(found.before, dir_ / "00000004.log");
  const std::string text = describe(found);
  EXPECT_NE(text.find("records " + std::to_string(first) + " to " + std::to_string(last)),
            std::string::npos);
  EXPECT_NE(text.find("see who changes files there"), std::string::npos);
}

TEST_F(JournalHole, LeftByADamagedSegmentIsFound) {
  const auto [first, last] = numbers_in(3);
  const std::string path = segment_path(dir_.path(), 3);
  fs::resize_file(path, fs::file_size(path) / 2);
  const JournalHoles found = holes(1);
  EXPECT_GT(found.from, first);
  EXPECT_EQ(found.to, last);
}

TEST_F(JournalHole, LeftByASegmentThatCannotBeReadIsFound) {
  const auto [first, last] = numbers_in(3);
  remove(3);
  fs::create_directory(segment_path(dir_.path(), 3));
  const JournalHoles found = holes(1);
  EXPECT_EQ(found.from, first);
  EXPECT_EQ(found.to, last);
  EXPECT_TRUE(log_.said("00000003.log"));
}

TEST_F(JournalHole, AtTheBeginningIsOneIfItIsKnownWhereItBegan) {
  const auto [first, last] = numbers_in(1);
  remove(1);
  EXPECT_EQ(holes(1).records, last - first + 1);
  EXPECT_EQ(holes(0).count, 0U);
}

TEST_F(JournalHole, InFrontOfWhatIsReadIsNone) {
  remove(2);
  EXPECT_EQ(holes(numbers_in(4).first).count, 0U);
}

TEST_F(JournalHole, IsNoneWhereNumbersWereNeverStored) {
  append(1, 10, 1'000'000'000);
  append(1, 10, 2'000'000'000);
  EXPECT_EQ(holes(1).count, 0U);
}

TEST_F(JournalHole, MadeByARenamedSegmentIsClosedByGivingItsNameBack) {
  for (const char* wrong : {"00000000.log", "00000099.log"}) {
    for (const std::uint64_t segment : {1U, 3U}) {
      SCOPED_TRACE(wrong + std::to_string(segment));
      const std::string path = segment_path(dir_.path(), segment);
      fs::rename(path, dir_ / wrong);
      EXPECT_EQ(open_journal(journal_options(dir_.path(), 1024), log_)->last_sequence(), 200U);
      EXPECT_EQ(fs::exists(path) || segment == 1, true);
      EXPECT_EQ(holes(1).count, 0U);
      EXPECT_EQ(dir_.count_starting_with("foreign-"), 0U);
      if (!fs::exists(path)) fs::rename(dir_ / wrong, path);
    }
  }
}

TEST_F(JournalHole, IsNotMadeByASegmentOfAnotherJournalWhateverItsName) {
  TempDir other;
  {
    auto journal = open_journal(journal_options(other.path(), 1024), log_);
    journal->continue_after(5000);
    journal->append_message(message("t", "not ours"));
  }
  fs::copy_file(other / "00000001.log", dir_ / "00000000.log");
  EXPECT_EQ(open_journal(journal_options(dir_.path(), 1024), log_)->last_sequence(), 200U);
  EXPECT_EQ(holes(1).count, 0U);
  EXPECT_EQ(dir_.count_starting_with("foreign-00000000.log"), 1U);
}

TEST_F(JournalHole, OfSeveralSegmentsCountsThemAll) {
  const auto [a, b] = numbers_in(2);
  const auto [c, d] = numbers_in(4);
  remove(2);
  remove(4);
  const JournalHoles found = holes(1);
  EXPECT_EQ(found.count, 2U);
  EXPECT_EQ(found.records, b - a + 1 + d - c + 1);
  EXPECT_EQ(found.from, a);
  EXPECT_NE(describe(found).find("in 2 holes"), std::string::npos);
}

TEST_F(JournalHole, IsToldExactlyFromNumbersThatWereNeverStored) {
  {
    auto journal = open_journal(journal_options(dir_.path(), 1024), log_);
    journal->continue_after(1000);
    journal->append_message(message("t", std::string(1000, 'x')));  // a segment of its own
  }
  auto names = list_segments(dir_.path());
  ASSERT_TRUE(names);
  const std::uint64_t in_front = (*names)[names->size() - 2].number;
  const auto [first, last] = numbers_in(in_front);
  ASSERT_EQ(last, 200U);
  remove(in_front);
  const JournalHoles found = holes(1);
  EXPECT_EQ(found.from, first);
  EXPECT_EQ(found.to, 200U) << "201 to 1000 never were";
}

}  // namespace
}  // namespace sluice::storage
