// The journal's bytes, as docs/journal-format.md describes them, against a file that never changes.
#include "storage/journal/marks.hpp"
#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::storage {
namespace {

const std::string kGoldenDir = SLUICE_SOURCE_DIR "/tests/golden/journal";
const std::string kGoldenFile = kGoldenDir + "/00000001.log";

/// What the golden file was written from, and what this program must write the same.
void append_golden(Journal& journal) {
  MessageView in = message("site/weir 1", "{\"level\":3.14}", 1722470400000, 7);
  journal.append_message(in);
  in.retained = true;
  in.payload = std::string_view{"a\0b", 3};
  in.topic = "site/pumpe-ü";
  in.packet_id = 65535;
  in.received += 250;
  journal.append_message(in);
  journal.append(JournalKind::kTick, 1722470401000, "");
  const std::vector<PublicationId> ids{{1, 0}, {2, 3}};
  journal.append(JournalKind::kDelivered, 1722470401500, encode_delivered(ids));
  journal.append(JournalKind::kClockStep, 1722470402000, encode_clock_step(-3600000));
  journal.append(JournalKind::kSetAside, 1722470403000, encode_set_aside({2, "flood"}));
}

TEST(JournalGolden, IsWrittenByteForByte) {
  TempDir dir;
  RecordingLog log;
  auto journal = open_journal(journal_options(dir.path()), log);
  append_golden(*journal);
  journal.reset();
  EXPECT_EQ(file_content(dir / "00000001.log"), file_content(kGoldenFile))
      << "a change of the format needs a new version, see docs/journal-format.md";
}

TEST(JournalGolden, IsRead) {
  RecordingLog log;
  const auto records = read_journal(kGoldenDir, log);
  ASSERT_EQ(records.size(), 6U);
  EXPECT_EQ(records[0].source, "weirs");
  EXPECT_EQ(records[0].topic, "site/weir 1");
  EXPECT_EQ(records[0].payload, "{\"level\":3.14}");
  EXPECT_EQ(records[0].time, 1722470400000);
  EXPECT_EQ(records[0].packet_id, 7);
  EXPECT_EQ(records[1].topic, "site/pumpe-ü");
  EXPECT_TRUE(records[1].retained());
  EXPECT_EQ(records[2].kind, JournalKind::kTick);
  EXPECT_EQ(decode_delivered(records[3].payload)->at(1), (PublicationId{2, 3}));
  EXPECT_EQ(*decode_clock_step(records[4].payload), -3600000);
  EXPECT_EQ(decode_set_aside(records[5].payload)->monitor, "flood");
  EXPECT_EQ(log.problems(), 0);
}

}  // namespace
}  // namespace sluice::storage
