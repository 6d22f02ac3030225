#include "storage/journal/journal.hpp"

#include <sys/resource.h>

#include <csignal>
#include <thread>

#include "storage/journal/marks.hpp"
#include "storage/journal/redelivery.hpp"
#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::storage {
namespace {

class Recorder final : public JournalListener {
 public:
  void on_appended(const JournalRecordView& view) noexcept override {
    JournalRecord record;
    record.assign(view);
    records.push_back(std::move(record));
  }
  std::vector<JournalRecord> records;
};

TEST(Journal, GivesBackWhatWasAppendedInOrder) {
  TempDir dir;
  RecordingLog log;
  auto journal = open_journal(journal_options(dir.path()), log);
  MessageView in = message("weir/1", "3.14", 1000, 7);
  in.retained = true;
  EXPECT_EQ(journal->append_message(in).sequence, 1U);
  EXPECT_EQ(journal->append(JournalKind::kTick, 2000, "").sequence, 2U);
  EXPECT_EQ(journal->append_message(message("weir/1", std::string_view{"a\0b", 3}, 3000)).sequence,
            3U);
  EXPECT_EQ(journal->append_message(message("", "", 3000)).sequence, 4U);

  const auto records = read_journal(dir.path(), log);
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[0].kind, JournalKind::kMessage);
  EXPECT_EQ(records[0].source, "weirs");
  EXPECT_EQ(records[0].topic, "weir/1");
  EXPECT_EQ(records[0].payload, "3.14");
  EXPECT_EQ(records[0].packet_id, 7);
  EXPECT_TRUE(records[0].retained());
  EXPECT_FALSE(records[0].duplicate());
  EXPECT_EQ(records[1].kind, JournalKind::kTick);
  EXPECT_EQ(records[1].time, 2000);
  EXPECT_EQ(records[1].source, "");
  EXPECT_EQ(records[2].payload, (std::string{"a\0b", 3}));
  EXPECT_EQ(records[3].topic, "");
  EXPECT_EQ(log.problems(), 0);
}

TEST(Journal, GoesOnWhereItEndedWhenOpenedAgain) {
  TempDir dir;
  RecordingLog log;
  for (int round = 0; round < 5; ++round) {
    auto journal = open_journal(journal_options(dir.path()), log);
    journal->append_message(message("t" + std::to_string(round % 2), std::to_string(round)));
  }
  const auto records = read_journal(dir.path(), log);
  ASSERT_EQ(records.size(), 5U);
  for (std::size_t n = 0; n < 5; ++n) {
    EXPECT_EQ(records[n].sequence, n + 1);
    EXPECT_EQ(records[n].topic, "t" + std::to_string(n % 2));
    EXPECT_EQ(records[n].payload, std::to_string(n));
  }
  EXPECT_EQ(dir.count_starting_with("0000"), 1U);
  EXPECT_EQ(log.problems(), 0);
}

TEST(Journal, NeverLetsTimeRunBackwards) {
  TempDir dir;
  RecordingLog log;
  {
    auto journal = open_journal(journal_options(dir.path()), log);
    journal->append_message(message("t", "a", 5000));
    journal->append_message(message("t", "b", 4000));
  }
  auto journal = open_journal(journal_options(dir.path()), log);
  EXPECT_EQ(journal->last_time(), 5000);
  journal->append(JournalKind::kTick, 3000, "");
  for (const auto& record : read_journal(dir.path(), log)) EXPECT_EQ(record.time, 5000);
}

TEST(Journal, CutsItselfIntoSegmentsThatAreReadAsOne) {
  TempDir dir;
  RecordingLog log;
  auto journal = open_journal(journal_options(dir.path(), 4096), log);
  for (int n = 1; n <= 1000; ++n) {
    journal->append_message(message("t/" + std::to_string(n % 7), std::string(50, 'x')));
  }
  EXPECT_GT(journal->health().segments, 10U);
  EXPECT_EQ(read_journal(dir.path(), log).size(), 1000U);
  const auto tail = read_journal(dir.path(), log, 777);
  ASSERT_EQ(tail.size(), 224U);
  EXPECT_EQ(tail.front().sequence, 777U);
  EXPECT_EQ(tail.front().topic, "t/0");
}

TEST(Journal, StartsANewSegmentWhenThereAreTooManyNames) {
  TempDir dir;
  RecordingLog log;
  auto journal = open_journal(journal_options(dir.path(), 64 << 20), log);
  for (int n = 0; n < 70000; ++n) journal->append_message(message(std::to_string(n), ""));
  EXPECT_EQ(journal->health().segments, 2U);
  const auto records = read_journal(dir.path(), log);
  ASSERT_EQ(records.size(), 70000U);
  for (std::size_t n = 0; n < records.size(); ++n) EXPECT_EQ(records[n].topic, std::to_string(n));
}

TEST(Journal, TakesARecordLargerThanASegment) {
  TempDir dir;
  RecordingLog log;
  auto journal = open_journal(journal_options(dir.path(), 4096), log);
  const std::string large(1 << 20, 'y');
  journal->append_message(message("t", "before"));
  journal->append_message(message("t", large));
  journal->append_message(message("t", "after"));
  const auto records = read_journal(dir.path(), log);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[1].payload, large);
  EXPECT_EQ(records[2].payload, "after");
}

TEST(Journal, RecognisesARedeliveryAlsoAfterARestart) {
  TempDir dir;
  RecordingLog log;
  MessageView again = message("weir", "4.2", 1000, 17);
  again.duplicate = true;
  {
    auto journal = open_journal(journal_options(dir.path()), log);
    journal->append_message(message("weir", "4.2", 1000, 17));
    EXPECT_TRUE(journal->append_message(again).was_duplicate);
    EXPECT_EQ(journal->last_sequence(), 1U);
  }
  auto journal = open_journal(journal_options(dir.path()), log);
  EXPECT_TRUE(journal->append_message(again).was_duplicate);
  EXPECT_EQ(journal->health().duplicates, 1U);

  MessageView other = again;
  other.packet_id = 18;
  EXPECT_FALSE(journal->append_message(other).was_duplicate);
  other = again;
  other.payload = "4.3";
  EXPECT_FALSE(journal->append_message(other).was_duplicate);
  other = again;
  other.topic = "weir2";
  EXPECT_FALSE(journal->append_message(other).was_duplicate);
  other = again;
  other.source = "pumps";
  EXPECT_FALSE(journal->append_message(other).was_duplicate);
  other = again;
  other.duplicate = false;  // the same bytes again, but the transport says it is news
  EXPECT_FALSE(journal->append_message(other).was_duplicate);
}

TEST(Journal, RecognisesTheNewestOfEachPacketIdHoweverManyCameSince) {
  TempDir dir;
  RecordingLog log;
  auto journal = open_journal(journal_options(dir.path()), log);
  MessageView first = message("weir", "first", 1000, 1);
  journal->append_message(first);
  for (std::size_t n = 0; n < 2 * RedeliveryWindow::kSize; ++n) {
    journal->append_message(message("weir", "x", 1000, n % 2 == 0 ? 2 : 0));
  }
  first.duplicate = true;
  EXPECT_TRUE(journal->append_message(first).was_duplicate);
  // The broker uses an id again when its message is acknowledged, and that one does not come again.
  journal->append_message(message("weir", "later", 1000, 1));
  EXPECT_FALSE(journal->append_message(first).was_duplicate);
}

TEST(Journal, TellsItsListenerInOrderFromAllThreads) {
  TempDir dir;
  RecordingLog log;
  Recorder recorder;
  auto journal = open_journal(journal_options(dir.path(), 8192), log);
  journal->set_listener(&recorder);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&journal, t] {
      for (int n = 0; n < 500; ++n) {
        journal->append_message(message("t" + std::to_string(t), std::to_string(n)));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  const auto records = read_journal(dir.path(), log);
  ASSERT_EQ(records.size(), 2000U);
  ASSERT_EQ(recorder.records.size(), 2000U);
  for (std::size_t n = 0; n < records.size(); ++n) {
    EXPECT_EQ(recorder.records[n].sequence, n + 1);
    EXPECT_EQ(recorder.records[n].payload, records[n].payload);
    EXPECT_EQ(recorder.records[n].topic, records[n].topic);
  }
}

TEST(Journal, IsReadWhileItIsWritten) {
  TempDir dir;
  RecordingLog log;
  auto journal = open_journal(journal_options(dir.path(), 16384), log);
  constexpr std::uint64_t kCount = 20000;
  std::thread writer{[&] {
    for (std::uint64_t n = 1; n <= kCount; ++n) {
      journal->append_message(message("t/" + std::to_string(n % 5), std::to_string(n)));
    }
  }};
  JournalReader reader{dir.path(), 1, log};
  JournalRecord record;
  std::uint64_t expected = 1;
  bool fine = true;
  while (expected <= kCount && fine) {
    auto more = reader.next(record);
    fine = more.has_value();
    if (!fine || !*more) continue;
    fine = record.sequence == expected && record.payload == std::to_string(expected) &&
           record.topic == "t/" + std::to_string(expected % 5);
    ++expected;
  }
  writer.join();
  EXPECT_TRUE(fine) << "at " << expected;
  EXPECT_EQ(reader.damaged_segments(), 0U);
}

TEST(Journal, ContinuesAfterWhatACheckpointKnows) {
  TempDir dir;
  RecordingLog log;
  auto journal = open_journal(journal_options(dir.path()), log);
  journal->append_message(message("t", "a"));
  journal->continue_after(100);
  EXPECT_EQ(journal->append_message(message("t", "b")).sequence, 101U);
  journal->continue_after(50);
  EXPECT_EQ(journal->append_message(message("t", "c")).sequence, 102U);
  EXPECT_EQ(read_journal(dir.path(), log, 2).front().sequence, 101U);
}

TEST(Journal, KnowsWhatIsSynced) {
  TempDir dir;
  RecordingLog log;
  auto journal = open_journal(journal_options(dir.path(), 4096), log);
  for (int n = 0; n < 200; ++n) journal->append_message(message("t", "some level"));
  EXPECT_EQ(journal->synced_through(), 0U);
  ASSERT_TRUE(journal->sync());
  EXPECT_EQ(journal->synced_through(), 200U);
  ASSERT_TRUE(journal->sync());
  journal->append_message(message("t", "x"));
  EXPECT_EQ(journal->synced_through(), 200U);
}

TEST(Journal, SyncsEachRecordWhereToldSo) {
  TempDir dir;
  RecordingLog log;
  JournalOptions options = journal_options(dir.path(), 4096);
  options.sync = SyncPolicy::kEach;
  auto journal = open_journal(options, log);
  for (std::uint64_t n = 1; n <= 100; ++n) {
    journal->append_message(message("t", "some level in metres"));
    EXPECT_EQ(journal->synced_through(), n);
  }
}

TEST(Journal, DropsWholeSegmentsThatNobodyNeeds) {
  TempDir dir;
  RecordingLog log;
  auto journal = open_journal(journal_options(dir.path(), 4096), log);
  for (int n = 1; n <= 1000; ++n) journal->append_message(message("t", std::string(50, 'x')));
  const auto before = journal->health();
  ASSERT_TRUE(journal->drop_before(500));
  const auto after = journal->health();
  EXPECT_LT(after.segments, before.segments);
  EXPECT_LT(after.bytes, before.bytes);
  EXPECT_LE(after.first_sequence, 500U);
  EXPECT_GT(after.first_sequence, 400U);
  EXPECT_EQ(read_journal(dir.path(), log, 500).size(), 501U);
  ASSERT_TRUE(journal->drop_before(100000));
  EXPECT_EQ(journal->health().segments, 1U);
}

TEST(Journal, KeepsHistoryByAgeAndByBytes) {
  TempDir dir;
  RecordingLog log;
  JournalOptions options = journal_options(dir.path(), 4096);
  options.retain_age = Duration{1000};
  auto journal = open_journal(options, log);
  for (int n = 1; n <= 2000; ++n) journal->append_message(message("t", std::string(50, 'x'), n));
  ASSERT_TRUE(journal->drop_before(2000));
  const auto kept = read_journal(dir.path(), log);
  EXPECT_LE(kept.front().time, 1000);
  EXPECT_GT(kept.front().time, 900);
  journal.reset();

  options.retain_bytes = 20000;
  journal = open_journal(options, log);
  ASSERT_TRUE(journal->drop_before(2000));
  EXPECT_LE(journal->health().bytes, 20000U);
  EXPECT_GT(journal->health().bytes, 12000U);
}

TEST(Journal, RefusesADirectoryThatAnotherOneUses) {
  TempDir dir;
  RecordingLog log;
  auto journal = open_journal(journal_options(dir.path()), log);
  auto second = Journal::open(journal_options(dir.path()), log);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), ErrorCode::kConflict);
}

/// No file of this process may grow beyond `bytes` while this lives: a full disk in small.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST(Journal, GoesOnInMemoryWhileTheDiskIsFullAndComesBackByItself) {
  for (const bool reserve : {false, true}) {
    TempDir dir;
    RecordingLog log;
    Recorder recorder;
    JournalOptions options = journal_options(dir.path());
    options.reserve = reserve;
    auto journal = open_journal(options, log);
    journal->set_listener(&recorder);
    journal->append_message(message("t", "one"));
    JournalHealth full;
    std::size_t files = 0;
    {
      const FileSizeLimit limit{180};
      journal->append_message(message("t", "two"));
      journal->append_message(message("t", std::string(500, 'z')));
      for (int n = 0; n < 20; ++n) journal->append_message(message("t", std::string(200, 'z')));
      full = journal->health();
      files = dir.names().size();
    }
    EXPECT_FALSE(full.durable);
    EXPECT_NE(full.reason.find(dir.path()), std::string::npos);
    EXPECT_EQ(full.unstored, 21U);
    EXPECT_EQ(full.last_sequence, 23U);
    EXPECT_EQ(files, 2U) << "no file is left behind for each try";
    ASSERT_TRUE(journal->sync());
    EXPECT_EQ(journal->synced_through(), 23U) << "waiting for these makes no sense";

    EXPECT_TRUE(journal->append_message(message("t", "back")).stored);
    EXPECT_TRUE(journal->health().durable);
    EXPECT_EQ(journal->health().reason, "");
    EXPECT_TRUE(log.said("the journal is written again"));

    ASSERT_EQ(recorder.records.size(), 24U);
    EXPECT_TRUE(recorder.records[1].stored);
    EXPECT_FALSE(recorder.records[2].stored);
    const auto records = read_journal(dir.path(), log);
    ASSERT_EQ(records.size(), 3U);
    EXPECT_EQ(records[1].payload, "two");
    EXPECT_EQ(records[2].payload, "back");
    EXPECT_EQ(records[2].sequence, 24U);
    journal.reset();
    journal = open_journal(options, log);
    EXPECT_EQ(journal->last_sequence(), 24U);
  }
}

TEST(Journal, GivesUpHistoryBeforeItRefusesARecord) {
  TempDir dir;
  RecordingLog log;
  JournalOptions options = journal_options(dir.path(), 4096);
  options.retain_age = std::chrono::hours{1000};
  options.max_bytes = 5 * 4096;
  auto journal = open_journal(options, log);
  const std::string fill(1000, 'x');
  std::uint64_t last = 0;
  for (int n = 0; n < 12; ++n) last = journal->append_message(message("t", fill)).sequence;
  ASSERT_TRUE(journal->drop_before(last));
  EXPECT_EQ(journal->health().segments, 4U) << "kept as history";
  Appended appended;
  do {
    appended = journal->append_message(message("t", fill));
    EXPECT_LE(journal->health().bytes, options.max_bytes);
  } while (appended.stored && appended.sequence < 100);
  EXPECT_GT(appended.sequence, 20U) << "history has made room";
  EXPECT_LT(appended.sequence, 30U);
  EXPECT_NE(journal->health().reason.find("journal.max_size"), std::string::npos);
  EXPECT_EQ(read_journal(dir.path(), log).back().sequence, appended.sequence - 1);
  ASSERT_TRUE(journal->drop_before(appended.sequence));
  EXPECT_TRUE(journal->append_message(message("t", fill)).stored);
  EXPECT_TRUE(journal->health().durable);
}

TEST(JournalMarks, SurviveTheirEncoding) {
  const std::vector<PublicationId> ids{{1, 0}, {0xFFFFFFFFFFFFFFFFU, 0xFFFFFFFFU}};
  EXPECT_EQ(*decode_delivered(encode_delivered(ids)), ids);
  EXPECT_TRUE(decode_delivered("")->empty());
  EXPECT_FALSE(decode_delivered("short"));
  EXPECT_EQ(*decode_clock_step(encode_clock_step(-86400000)), -86400000);
  EXPECT_FALSE(decode_clock_step("short"));
  EXPECT_EQ(*decode_skipped(encode_skipped(77)), 77U);
  EXPECT_FALSE(decode_skipped("short"));
  const SetAside set_aside{42, "flood"};
  EXPECT_EQ(*decode_set_aside(encode_set_aside(set_aside)), set_aside);
  EXPECT_FALSE(decode_set_aside("short"));
}

}  // namespace
}  // namespace sluice::storage
