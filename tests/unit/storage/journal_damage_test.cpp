// Torn, cut, flipped, zeroed and foreign segments: the sound prefix is used, the rest is kept
// aside and reported, and the journal always goes on.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "storage/bytes.hpp"
#include "storage/crc32c.hpp"
#include "storage/journal/format.hpp"
#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::storage {
namespace {

namespace fs = std::filesystem;

class JournalDamage : public ::testing::Test {
 protected:
  /// A small journal; `ends_` are the lengths at which it is whole, with 0, 1, 2, … records.
  void SetUp() override {
    TempDir dir;
    auto journal = open_journal(journal_options(dir.path()), log_);
    for (int n = 1; n <= 6; ++n) {
      journal->append_message(message(n % 2 == 1 ? "weir/a" : "weir/b",
                                      "level " + std::to_string(n), 1000 + n,
                                      static_cast<std::uint16_t>(n)));
      ends_.push_back(fs::file_size(dir / "00000001.log"));
    }
    journal.reset();
    image_ = file_content(dir / "00000001.log");
    ASSERT_EQ(image_.size(), ends_.back());
  }

  /// How many whole records the first `bytes` bytes hold.
  std::size_t whole_before(std::size_t bytes) const {
    std::size_t count = 0;
    while (count < ends_.size() && ends_[count] <= bytes) ++count;
    return count;
  }

  /// Opens a journal whose only segment is `content`, appends, and expects the first `sound`
  /// records, then the new one.
  void expect_sound_prefix(const std::string& content, std::size_t sound, RecordingLog& log,
                           const TempDir& dir) {
    overwrite_file(dir / "00000001.log", content);
    {
      auto journal = open_journal(journal_options(dir.path()), log);
      EXPECT_EQ(journal->last_sequence(), sound);
      EXPECT_TRUE(journal->append_message(message("weir/c", "new", 5000)).stored);
    }
    const auto records = read_journal(dir.path(), log);
    ASSERT_EQ(records.size(), sound + 1);
    for (std::size_t n = 0; n < sound; ++n) {
      EXPECT_EQ(records[n].sequence, n + 1);
      EXPECT_EQ(records[n].payload, "level " + std::to_string(n + 1));
      EXPECT_EQ(records[n].topic, n % 2 == 0 ? "weir/a" : "weir/b");
    }
    EXPECT_EQ(records.back().payload, "new");
    EXPECT_EQ(records.back().topic, "weir/c");
    EXPECT_EQ(records.back().sequence, sound + 1);
  }

  RecordingLog log_;
  std::string image_;
  std::vector<std::size_t> ends_;
};

TEST_F(JournalDamage, CutAtAnyByteLeavesTheRecordsBeforeTheCut) {
  for (std::size_t cut = 0; cut <= image_.size(); ++cut) {
    SCOPED_TRACE(cut);
    TempDir dir;
    RecordingLog log;
    expect_sound_prefix(image_.substr(0, cut), whole_before(cut), log, dir);
    const bool clean = cut == 0 || cut == kSegmentHeaderSize || cut == image_.size() ||
                       std::count(ends_.begin(), ends_.end(), cut) > 0;
    const std::size_t kept = dir.count_starting_with("torn-") + dir.count_starting_with("foreign-");
    if (clean) {
      EXPECT_EQ(kept, 0U);
      EXPECT_EQ(log.problems(), 0);
    } else if (kept == 0) {
      // Only where the cut fell behind the definition of a topic: that is a whole record.
      EXPECT_EQ(log.problems(), 0);
    } else {
      EXPECT_GT(log.problems(), 0);
    }
  }
}

TEST_F(JournalDamage, AFlippedBitAnywhereIsNoticedAndKeptAside) {
  for (std::size_t at = 0; at < image_.size(); ++at) {
    SCOPED_TRACE(at);
    TempDir dir;
    RecordingLog log;
    std::string flipped = image_;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    expect_sound_prefix(flipped, at < kSegmentHeaderSize ? 0 : whole_before(at), log, dir);
    EXPECT_EQ(dir.count_starting_with("torn-") + dir.count_starting_with("foreign-"), 1U);
    EXPECT_GT(log.problems(), 0);
  }
}

TEST_F(JournalDamage, WhatWasCutOffIsKeptByteForByte) {
  TempDir dir;
  RecordingLog log;
  std::string flipped = image_;
  flipped[ends_[3] + 34] = '?';
  expect_sound_prefix(flipped, 4, log, dir);
  EXPECT_EQ(file_content(dir / ("torn-00000001.log-" + std::to_string(ends_[3]))),
            flipped.substr(ends_[3]));
}

TEST_F(JournalDamage, AZeroFilledTailIsNoDamage) {
  for (const std::size_t zeros : {1U, 31U, 32U, 33U, 100000U}) {
    TempDir dir;
    RecordingLog log;
    expect_sound_prefix(image_ + std::string(zeros, '\0'), 6, log, dir);
    EXPECT_EQ(log.problems(), 0);
    EXPECT_EQ(dir.count_starting_with("torn-"), 0U);
  }
}

TEST_F(JournalDamage, AFileOfZerosWasNeverWritten) {
  for (const std::size_t zeros : {0U, 10U, 32U, 5000U}) {
    TempDir dir;
    RecordingLog log;
    expect_sound_prefix(std::string(zeros, '\0'), 0, log, dir);
    EXPECT_EQ(log.problems(), 0);
  }
}

TEST_F(JournalDamage, AForeignFileIsSetAside) {
  TempDir dir;
  RecordingLog log;
  expect_sound_prefix("PNG and not a journal at all, whatever its name says ..........", 0, log,
                      dir);
  EXPECT_EQ(dir.count_starting_with("foreign-00000001.log"), 1U);
  EXPECT_TRUE(log.said("00000001.log"));
}

TEST_F(JournalDamage, ASegmentThatMayNotBeReadStaysWhereItIs) {
  TempDir dir;
  RecordingLog log;
  overwrite_file(dir / "00000001.log", image_);
  ASSERT_EQ(::chmod(dir.path().c_str(), 0777), 0);
  ASSERT_EQ(::chmod((dir / "00000001.log").c_str(), 0), 0);
  // Root may read everything; and nobody may not come here but from inside.
  constexpr uid_t kNobody = 65534;
  const uid_t me = ::geteuid();
  const auto from = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  if (me == 0) {
    ASSERT_EQ(::seteuid(kNobody), 0);
  }
  auto opened = Journal::open(journal_options("."), log);
  if (me == 0) {
    ASSERT_EQ(::seteuid(me), 0);
  }
  std::filesystem::current_path(from);
  ASSERT_TRUE(opened);
  EXPECT_TRUE((*opened)->numbers_unknown());
  EXPECT_NE((*opened)->health().loss.find("00000001.log"), std::string::npos);
  EXPECT_NE((*opened)->health().loss.find("chmod"), std::string::npos);
  ASSERT_EQ(::chmod((dir / "00000001.log").c_str(), 0600), 0);
  EXPECT_EQ(file_content(dir / "00000001.log"), image_);
}

TEST_F(JournalDamage, ASegmentOfANewerFormatIsKeptForTheProgramThatKnowsIt) {
  TempDir dir;
  RecordingLog log;
  std::string newer = image_;
  store_u32(newer.data() + 8, 9);
  const std::uint32_t crc = crc32c_extend(crc32c({newer.data(), 12}), {newer.data() + 16, 16});
  store_u32(newer.data() + 12, crc);
  expect_sound_prefix(newer, 0, log, dir);
  EXPECT_TRUE(log.said("format version 9, this program knows 1"));
  EXPECT_EQ(file_content(dir / "foreign-00000001.log"), newer);
}

TEST_F(JournalDamage, ALengthBeyondTheFileReservesNoMemory) {
  TempDir dir;
  RecordingLog log;
  std::string content = image_;
  store_u32(content.data() + ends_[5 - 1], 250U << 20U);
  expect_sound_prefix(content, 5, log, dir);
}

class OldSegmentDamage : public ::testing::Test {
 protected:
  void SetUp() override {
    auto journal = open_journal(journal_options(dir_.path(), 1024), log_);
    for (int n = 1; n <= 200; ++n) journal->append_message(message("t", std::to_string(n)));
    ASSERT_GT(journal->health().segments, 4U);
  }

  TempDir dir_;
  RecordingLog log_;
};

TEST_F(OldSegmentDamage, CostsOnlyTheRestOfThatSegment) {
  std::string content = file_content(dir_ / "00000002.log");
  content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
  overwrite_file(dir_ / "00000002.log", content);
  auto journal = open_journal(journal_options(dir_.path(), 1024), log_);
  EXPECT_EQ(journal->last_sequence(), 200U);
  EXPECT_TRUE(log_.said("00000002.log is damaged"));
  JournalReader reader{dir_.path(), 0, log_};
  JournalRecord record;
  std::size_t count = 0;
  std::uint64_t last = 0;
  while (*reader.next(record)) {
    EXPECT_GT(record.sequence, last);
    EXPECT_EQ(record.payload, std::to_string(record.sequence));
    last = record.sequence;
    ++count;
  }
  EXPECT_EQ(last, 200U);
  EXPECT_GT(count, 150U);
  EXPECT_LT(count, 200U);
  EXPECT_EQ(reader.damaged_segments(), 1U);
  EXPECT_EQ(file_content(dir_ / "00000002.log"), content) << "kept as it is";
}

TEST_F(OldSegmentDamage, ForeignOneInTheMiddleIsSteppedOver) {
  overwrite_file(dir_ / "00000003.log", "somebody else's file");
  auto journal = open_journal(journal_options(dir_.path(), 1024), log_);
  EXPECT_EQ(dir_.count_starting_with("foreign-00000003.log"), 1U);
  const auto records = read_journal(dir_.path(), log_);
  EXPECT_EQ(records.front().sequence, 1U);
  EXPECT_EQ(records.back().sequence, 200U);
}

TEST_F(OldSegmentDamage, OneThatCannotBeReadIsSteppedOverAloud) {
  fs::remove(dir_ / "00000001.log");
  fs::create_directory(dir_ / "00000001.log");  // opens, and refuses to be read
  JournalReader reader{dir_.path(), 1, log_};
  JournalRecord record;
  const auto more = reader.next(record);
  ASSERT_TRUE(more && *more);
  EXPECT_EQ(reader.holes().from, 1U);
  EXPECT_EQ(reader.holes().to, record.sequence - 1);
  EXPECT_EQ(reader.damaged_segments(), 1U);
  EXPECT_TRUE(log_.said("00000001.log"));
}

TEST_F(OldSegmentDamage, ACopyOfAnOldSegmentIsNotReadTwice) {
  fs::copy_file(dir_ / "00000001.log", dir_ / "00000999.log");
  auto journal = open_journal(journal_options(dir_.path(), 1024), log_);
  EXPECT_EQ(journal->last_sequence(), 200U);
  EXPECT_EQ(read_journal(dir_.path(), log_).size(), 200U);
  EXPECT_EQ(journal->append_message(message("t", "201")).sequence, 201U);
}

TEST_F(OldSegmentDamage, OtherFilesInTheDirectoryAreLeftAlone) {
  overwrite_file(dir_ / "notes.txt", "mine");
  overwrite_file(dir_ / "x.log", "mine");
  auto journal = open_journal(journal_options(dir_.path(), 1024), log_);
  EXPECT_EQ(file_content(dir_ / "notes.txt"), "mine");
  EXPECT_EQ(file_content(dir_ / "x.log"), "mine");
  EXPECT_EQ(log_.problems(), 0);
}

}  // namespace
}  // namespace sluice::storage
