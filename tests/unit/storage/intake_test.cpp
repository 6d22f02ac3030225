#include "storage/intake.hpp"

#include <thread>

#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::storage {
namespace {

constexpr Duration kNow{0};
constexpr Duration kLong{20000};

JournalRecordView record(std::uint64_t sequence, std::string_view payload = "x",
                         bool stored = true) {
  JournalRecordView view;
  view.sequence = sequence;
  view.kind = JournalKind::kMessage;
  view.payload = payload;
  view.stored = stored;
  return view;
}

class IntakeTest : public ::testing::Test {
 protected:
  IntakeOptions options(std::size_t records) {
    IntakeOptions options;
    options.journal_dir = dir_.path();
    options.max_records = records;
    return options;
  }
  TempDir dir_;
  RecordingLog log_;
  JournalRecord out_;
};

TEST(RecordRing, KeepsNoRoomForALargePayloadThatIsGone) {
  RecordRing ring;
  JournalRecord out;
  ring.push(record(1, std::string(1'000'000, 'x')));
  ring.pop(out);
  for (std::uint64_t sequence = 2; sequence < 200; ++sequence) {  // all slots, and around again
    ring.push(record(sequence));
    ring.pop(out);
    EXPECT_LT(out.payload.capacity(), 10'000U) << sequence;
  }
}

TEST_F(IntakeTest, HandsOverInOrderAndThenWaits) {
  Intake intake{options(10), log_};
  intake.on_appended(record(1, "a"));
  intake.on_appended(record(2, "b"));
  ASSERT_EQ(intake.next(out_, kNow), Intake::Next::kRecord);
  EXPECT_EQ(out_.payload, "a");
  ASSERT_EQ(intake.next(out_, kNow), Intake::Next::kRecord);
  EXPECT_EQ(out_.payload, "b");
  EXPECT_EQ(intake.next(out_, kNow), Intake::Next::kTimeout);
  EXPECT_EQ(intake.stats().bytes, 0U);
}

TEST_F(IntakeTest, WakesTheEngineForARecordAndForTheEnd) {
  Intake intake{options(10), log_};
  std::thread other{[&] { intake.on_appended(record(1)); }};
  EXPECT_EQ(intake.next(out_, kLong), Intake::Next::kRecord);
  other.join();
  std::thread closer{[&] { intake.close(); }};
  EXPECT_EQ(intake.next(out_, kLong), Intake::Next::kClosed);
  closer.join();
}

TEST_F(IntakeTest, ReadsFromTheJournalWhatDidNotFitAndComesBackToMemory) {
  auto journal = open_journal(journal_options(dir_.path(), 4096), log_);
  Intake intake{options(8), log_};
  journal->set_listener(&intake);
  std::uint64_t expected = 0;
  for (int round = 1; round <= 5; ++round) {
    for (int n = 0; n < 100; ++n) {
      journal->append_message(message("t", std::to_string(journal->last_sequence() + 1)));
    }
    EXPECT_TRUE(intake.stats().overflowed);
    EXPECT_EQ(intake.stats().waiting, 8U);
    for (int n = 0; n < 100; ++n) {
      ASSERT_EQ(intake.next(out_, kNow), Intake::Next::kRecord);
      EXPECT_EQ(out_.sequence, ++expected);
      EXPECT_EQ(out_.payload, std::to_string(expected));
      EXPECT_EQ(out_.topic, "t");
    }
    EXPECT_EQ(intake.next(out_, kNow), Intake::Next::kTimeout);
    EXPECT_FALSE(intake.stats().overflowed);
  }
  EXPECT_EQ(intake.stats().overflows, 5U);
  EXPECT_EQ(intake.stats().from_journal, 5U * 92U);
  EXPECT_EQ(intake.stats().lost, 0U);
}

TEST_F(IntakeTest, ReplaysTheJournalBehindACheckpointBeforeWhatIsNew) {
  auto journal = open_journal(journal_options(dir_.path(), 4096), log_);
  for (int n = 1; n <= 300; ++n) journal->append_message(message("t", "old"));
  Intake intake{options(8), log_};
  intake.resume(200, journal->last_sequence());
  journal->set_listener(&intake);
  journal->append_message(message("t", "new"));
  for (std::uint64_t n = 201; n <= 301; ++n) {
    ASSERT_EQ(intake.next(out_, kNow), Intake::Next::kRecord);
    EXPECT_EQ(out_.sequence, n);
  }
  EXPECT_EQ(out_.payload, "new");
  EXPECT_EQ(intake.next(out_, kNow), Intake::Next::kTimeout);
}

TEST_F(IntakeTest, KeepsInMemoryWhatTheJournalCouldNotStoreAndMixesItIn) {
  auto journal = open_journal(journal_options(dir_.path()), log_);
  Intake intake{options(2), log_};
  journal->set_listener(&intake);
  for (int n = 1; n <= 5; ++n) journal->append_message(message("t", "stored"));
  for (std::uint64_t n = 6; n <= 20; ++n) intake.on_appended(record(n, "memory only", false));
  journal->continue_after(20);
  for (int n = 21; n <= 25; ++n) journal->append_message(message("t", "stored"));
  for (std::uint64_t n = 1; n <= 25; ++n) {
    ASSERT_EQ(intake.next(out_, kNow), Intake::Next::kRecord);
    EXPECT_EQ(out_.sequence, n);
    EXPECT_EQ(out_.payload, n >= 6 && n <= 20 ? "memory only" : "stored");
  }
  EXPECT_EQ(intake.next(out_, kNow), Intake::Next::kTimeout);
  EXPECT_EQ(intake.stats().lost, 0U);
}

TEST_F(IntakeTest, GivesOutWhatOnlyMemoryHoldsBeforeItCloses) {
  Intake intake{options(2), log_};
  intake.on_appended(record(1, "memory only", false));
  intake.on_appended(record(2));
  intake.close();
  ASSERT_EQ(intake.next(out_, kNow), Intake::Next::kRecord);
  EXPECT_EQ(out_.sequence, 1U);
  EXPECT_EQ(intake.next(out_, kNow), Intake::Next::kClosed);
}

TEST_F(IntakeTest, BoundsAlsoWhatOnlyMemoryHoldsAndCountsTheRest) {
  IntakeOptions small = options(2);
  small.max_unstored_bytes = 10000;
  Intake intake{small, log_};
  const std::string payload(1000, 'x');
  for (std::uint64_t n = 1; n <= 100; ++n) intake.on_appended(record(n, payload, false));
  EXPECT_LE(intake.stats().bytes, 10000U);
  EXPECT_EQ(intake.stats().lost + intake.stats().waiting, 100U);
  EXPECT_TRUE(log_.said("readings are lost"));
}

TEST_F(IntakeTest, GoesOnBehindRecordsThatVanishedFromTheJournal) {
  Intake intake{options(2), log_};
  for (std::uint64_t n = 1; n <= 10; ++n) intake.on_appended(record(n));  // no journal is there
  ASSERT_EQ(intake.next(out_, kNow), Intake::Next::kRecord);
  ASSERT_EQ(intake.next(out_, kNow), Intake::Next::kRecord);
  EXPECT_EQ(intake.next(out_, kNow), Intake::Next::kTimeout);
  EXPECT_EQ(intake.stats().lost, 8U);
  EXPECT_TRUE(log_.said("records 3 to 10 cannot be read back"));
  intake.on_appended(record(11));
  EXPECT_EQ(intake.next(out_, kNow), Intake::Next::kRecord);
}

TEST_F(IntakeTest, LosesAndRepeatsNothingWhileAppendersRace) {
  auto journal = open_journal(journal_options(dir_.path(), 65536), log_);
  Intake intake{options(16), log_};
  journal->set_listener(&intake);
  constexpr std::uint64_t kEach = 10000;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (std::uint64_t n = 0; n < kEach; ++n) journal->append_message(message("t", "level"));
    });
  }
  std::uint64_t expected = 1;
  while (expected <= 2 * kEach && intake.next(out_, kLong) == Intake::Next::kRecord &&
         out_.sequence == expected && out_.payload == "level") {
    ++expected;
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(expected, 2 * kEach + 1);
  EXPECT_EQ(intake.stats().lost, 0U);
}

}  // namespace
}  // namespace sluice::storage
