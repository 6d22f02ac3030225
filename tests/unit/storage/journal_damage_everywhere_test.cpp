// Damage at every byte position of a small journal, of its only segment and of one in the middle:
// what is before is used, what is behind in other segments too, and it always goes on.
#include <array>
#include <filesystem>
#include <functional>

#include "storage/journal/format.hpp"
#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::storage {
namespace {

namespace fs = std::filesystem;

struct Damage {
  const char* name;
  std::function<std::string(std::string content, std::size_t at)> apply;
};

std::string fill(std::string content, std::size_t at, std::string_view with) {
  for (std::size_t n = at; n < content.size(); ++n) content[n] = with[(n - at) % with.size()];
  return content;
}

const std::array<Damage, 5> kDamages{{
    {"Cut", [](std::string content, std::size_t at) { return content.substr(0, at); }},
    {"FlippedBit",
     [](std::string content, std::size_t at) {
       content[at] = static_cast<char>(content[at] ^ (1 << (at % 8)));
       return content;
     }},
    {"ZerosFromHere",
     [](std::string content, std::size_t at) {
       return fill(std::move(content), at, std::string_view{"\0", 1});
     }},
    {"ForeignBytesFromHere",
     [](std::string content, std::size_t at) {
       return fill(std::move(content), at, "From: somebody@else\n");
     }},
    {"ItsOwnBytesAgainFromHere",
     [](std::string content, std::size_t at) {
       const std::string start = content.substr(0, 40);
       return fill(std::move(content), at, start);
     }},
}};

/// Where they begin to differ.
std::size_t first_difference(const std::string& one, const std::string& other) {
  const std::size_t size = std::min(one.size(), other.size());
  std::size_t at = 0;
  while (at < size && one[at] == other[at]) ++at;
  return at;
}

class JournalDamageEverywhere : public ::testing::TestWithParam<std::size_t> {
 protected:
  const Damage& damage() const { return kDamages[GetParam()]; }
};
INSTANTIATE_TEST_SUITE_P(By, JournalDamageEverywhere, ::testing::Range<std::size_t>(0, 5),
                         [](const auto& one) { return kDamages[one.param].name; });

TEST_P(JournalDamageEverywhere, InTheOnlySegmentLeavesWhatIsBeforeIt) {
  RecordingLog log;
  std::vector<std::size_t> ends;  // of the file, behind each record
  std::string image;
  {
    TempDir dir;
    auto journal = open_journal(journal_options(dir.path()), log);
    for (int n = 1; n <= 5; ++n) {
      journal->append_message(message(n % 2 == 1 ? "weir/a" : "weir/b", std::to_string(n)));
      ends.push_back(fs::file_size(dir / "00000001.log"));
    }
    image = file_content(dir / "00000001.log");
  }
  for (std::size_t at = 0; at < image.size(); ++at) {
    SCOPED_TRACE(at);
    TempDir dir;
    const std::string damaged = damage().apply(image, at);
    const std::size_t intact = first_difference(image, damaged);
    std::size_t sound = 0;
    while (sound < ends.size() && ends[sound] <= intact) ++sound;
    overwrite_file(dir / "00000001.log", damaged);
    {
      auto journal = open_journal(journal_options(dir.path()), log);
      EXPECT_EQ(journal->last_sequence(), sound);
      EXPECT_TRUE(journal->append_message(message("weir/c", "new")).stored);
    }
    const auto records = read_journal(dir.path(), log);
    ASSERT_EQ(records.size(), sound + 1);
    for (std::size_t n = 0; n < sound; ++n) EXPECT_EQ(records[n].payload, std::to_string(n + 1));
    EXPECT_EQ(records.back().payload, "new");
    EXPECT_EQ(records.back().topic, "weir/c");
  }
}

TEST_P(JournalDamageEverywhere, InAMiddleSegmentCostsOnlyTheRestOfThatSegment) {
  RecordingLog log;
  TempDir whole;
  std::uint64_t first = 0;  // record of the segment that is damaged
  std::uint64_t behind = 0;
  {
    auto journal = open_journal(journal_options(whole.path(), 256), log);
    for (int n = 1; n <= 30; ++n) {
      const auto segments = journal->health().segments;
      const auto sequence = journal->append_message(message("t", std::to_string(n))).sequence;
      if (journal->health().segments == segments) continue;
      if (segments == 1) first = sequence;
      if (segments == 2) behind = sequence;
    }
    ASSERT_GT(journal->health().segments, 3U);
  }
  const std::string image = file_content(whole / "00000002.log");
  for (std::size_t at = 0; at < image.size(); ++at) {
    SCOPED_TRACE(at);
    TempDir dir;
    fs::copy(whole.path(), dir.path());
    overwrite_file(dir / "00000002.log", damage().apply(image, at));
    auto journal = open_journal(journal_options(dir.path(), 256), log);
    EXPECT_EQ(journal->last_sequence(), 30U);
    EXPECT_EQ(journal->append_message(message("t", "31")).sequence, 31U);
    std::uint64_t last = 0;
    for (const auto& record : read_journal(dir.path(), log)) {
      EXPECT_EQ(record.payload, std::to_string(record.sequence));
      const bool in_order = record.sequence == last + 1;
      const bool over_the_hole = record.sequence == behind && last + 1 >= first;
      EXPECT_TRUE(in_order || over_the_hole) << last << " then " << record.sequence;
      last = record.sequence;
    }
    EXPECT_EQ(last, 31U);
  }
}

}  // namespace
}  // namespace sluice::storage
