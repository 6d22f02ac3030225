// Gaps in a sensor's own count, from the journal to counters, log and checkpoint.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/engine/machine.hpp"
#include "daemon/json.hpp"
#include "storage/checkpoint_store.hpp"
#include "tests/unit/daemon/engine/engine_test_support.hpp"

namespace sluice::daemon {
namespace {

constexpr const char* kNumbered =
    "[[source]]\nname = \"counted\"\ntopic = \"counted/+\"\nformat = \"json\"\n"
    "sensor = \"/sensor\"\nlevel = \"/level\"\nsequence = \"/n\"\n";

std::unique_ptr<Machine> make(TestSite& site, const MachineStart& start = {}) {
  auto machine = Machine::start(site.config, site.kinds->registry, start, site.counters, site.log);
  if (!machine) throw std::runtime_error{machine.error().message()};
  return std::move(*machine);
}

/// Record `sequence`, a second behind the one before it, with number `n` of the sensor.
storage::JournalRecord numbered(std::uint64_t sequence, const std::string& sensor, std::int64_t n) {
  return message(sequence, "counted", "counted/x",
                 to_json(Datum::Struct{{"sensor", sensor}, {"level", 1.5}, {"n", n}}));
}

storage::JournalRecord tick(std::uint64_t sequence) {
  auto record = numbered(sequence, "", 0);
  record.kind = storage::JournalKind::kTick;
  record.payload.clear();
  return record;
}

void feed(Machine& machine, const storage::JournalRecord& record, bool quiet = false) {
  std::vector<Publication> out;
  machine.process(record, quiet, out);
}

GapTotals gaps_of(const TestSite& site) { return site.counters.gaps().at("counted"); }

TEST(Gaps, AreCountedAndLoggedWithSensorRangeAndCure) {
  TestSite site{"", kNumbered};
  const auto machine = make(site);
  feed(*machine, numbered(1, "mill", 20));
  feed(*machine, numbered(2, "mill", 101));
  EXPECT_EQ(gaps_of(site).gaps, 0U) << "they may have been overtaken";
  feed(*machine, tick(20));
  const GapTotals totals = gaps_of(site);
  EXPECT_EQ(totals.gaps, 1U);
  EXPECT_EQ(totals.missing, 80U);
  EXPECT_EQ(totals.sensor, "mill");
  EXPECT_EQ(totals.from, 21);
  EXPECT_EQ(totals.to, 100);
  EXPECT_EQ(totals.noticed, kStart + 20'000);
  EXPECT_TRUE(site.log.said("numbers 21 to 100 of sensor 'mill' never came"));
  EXPECT_TRUE(site.log.said("max_queued_messages"));
}

TEST(Gaps, BelongToOneSensor) {
  TestSite site{"", kNumbered};
  const auto machine = make(site);
  for (std::int64_t n = 1; n <= 30; ++n) {
    const auto sequence = static_cast<std::uint64_t>(n) * 2;
    feed(*machine, numbered(sequence, "mill", n));
    feed(*machine, numbered(sequence + 1, "weir", 1000 + n));
  }
  feed(*machine, tick(100));
  EXPECT_EQ(gaps_of(site).gaps, 0U);
}

TEST(Gaps, CountMessagesThatGaveNoReading) {
  TestSite site{"", kNumbered};
  const auto machine = make(site);
  feed(*machine, numbered(1, "mill", 1));
  feed(*machine, message(2, "counted", "counted/x", R"({"sensor":"mill","level":"broken","n":2})"));
  feed(*machine, numbered(3, "mill", 3));
  feed(*machine, tick(20));
  EXPECT_EQ(gaps_of(site).gaps, 0U);
}

TEST(Gaps, SayHowManyMessagesHadNoNumber) {
  TestSite site{"", kNumbered};
  const auto machine = make(site);
  const auto without = message(1, "counted", "counted/x", R"({"sensor":"mill","level":1})");
  feed(*machine, without);
  feed(*machine, without, true);
  EXPECT_EQ(gaps_of(site).unnumbered, 1U) << "those of a replay were counted before";
}

TEST(Gaps, AreNotLookedForWithoutNumbers) {
  TestSite site{""};
  const auto machine = make(site);
  feed(*machine, reading(1, "mill", 1));
  EXPECT_TRUE(site.counters.gaps().empty());
}

/// Gaps that are open, certain, filled late, and of a device that was restarted.
std::vector<storage::JournalRecord> varied_records() {
  std::vector<storage::JournalRecord> records;
  std::uint64_t sequence = 0;
  const auto add = [&](const std::string& sensor, std::initializer_list<std::int64_t> numbers) {
    for (const std::int64_t n : numbers) records.push_back(numbered(++sequence, sensor, n));
  };
  add("mill", {101, 102, 105});
  add("weir", {65'533, 65'535});
  add("mill", {103, 106});
  add("weir", {1, 0, 4});
  sequence += 10;
  records.push_back(tick(++sequence));
  add("mill", {0, 1, 9});
  sequence += 10;
  records.push_back(tick(++sequence));
  return records;
}

TEST(Gaps, AreTheSameWhereverTheRunIsCut) {
  const auto records = varied_records();
  TestSite whole{"", kNumbered};
  const auto uncut = make(whole);
  for (const auto& record : records) feed(*uncut, record);
  ASSERT_EQ(gaps_of(whole).gaps, 4U);
  ASSERT_EQ(gaps_of(whole).missing, 1U + 1U + 2U + 7U);

  for (std::size_t cut = 0; cut <= records.size(); ++cut) {
    SCOPED_TRACE(cut);
    storage::TempDir dir;
    auto opened = storage::CheckpointStore::open(dir / "sluice.db", whole.log);
    ASSERT_TRUE(opened) << opened.error().message();
    {
      TestSite before{"", kNumbered};
      const auto machine = make(before);
      for (std::size_t i = 0; i < cut; ++i) feed(*machine, records[i]);
      storage::CheckpointDelta delta;
      machine->snapshot(delta, false, 1);
      ASSERT_TRUE(opened->store->write({cut, kStart, machine->extras()}, delta, {}));
    }
    TestSite after{"", kNumbered};
    const auto loaded = opened->store->load();
    ASSERT_TRUE(loaded) << loaded.error().message();
    const auto machine = make(after, {&loaded->job, loaded->meta.extras, 0});
    for (std::size_t i = cut; i < records.size(); ++i) feed(*machine, records[i], true);
    const GapTotals totals = gaps_of(after);
    EXPECT_EQ(totals.gaps, 4U);
    EXPECT_EQ(totals.missing, 11U);
    EXPECT_EQ(totals.sensor, gaps_of(whole).sensor);
    EXPECT_EQ(totals.noticed, gaps_of(whole).noticed);
  }
}

}  // namespace
}  // namespace sluice::daemon
