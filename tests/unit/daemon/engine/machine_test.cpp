#include "daemon/engine/machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/json.hpp"
#include "storage/checkpoint_store.hpp"
#include "storage/journal/marks.hpp"
#include "tests/unit/daemon/engine/engine_test_support.hpp"

namespace sluice::daemon {
namespace {

using storage::JournalKind;
using storage::JournalRecord;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kMonitors = R"(
[[monitor]]
name = "jump"
kind = "delta"
[[monitor]]
name = "mean"
kind = "average"
[[monitor]]
name = "flood"
kind = "threshold"
above = 100
[[monitor]]
name = "quiet"
kind = "silence"
after = "10s"
)";

std::unique_ptr<Machine> make(TestSite& site, const MachineStart& start = {}) {
  auto machine = Machine::start(site.config, site.kinds->registry, start, site.counters, site.log);
  if (!machine) throw std::runtime_error{machine.error().message()};
  return std::move(*machine);
}

using Publications = std::vector<Publication>;

Publications feed(Machine& machine, const JournalRecord& record, bool quiet = false) {
  Publications out;
  machine.process(record, quiet, out);
  return out;
}

/// Everything a journal can hold.
std::vector<JournalRecord> varied_records() {
  std::vector<JournalRecord> records{
      reading(1, "mill", 10),
      reading(2, "weir", 20),
      setting(3, "flood/mill", "{\"limit\": 30}"),
      reading(4, "mill", 31),
      message(5, "levels", "site/x", "nonsense"),
      reading(6, "mill", 29),
      setting(7, "flood", "high"),
      reading(8, "weir", 150),
      message(9, "$command", "sluice/t/command/checkpoint", ""),
      setting(10, "flood/mill", ""),
      reading(11, "mill", 101),
      message(12, "$notice", "database", "something was wrong"),
  };
  JournalRecord step = message(13, "", "", storage::encode_clock_step(3'600'000));
  step.kind = JournalKind::kClockStep;
  step.time += 3'600'000;
  records.push_back(step);
  JournalRecord tick = message(40, "", "", "");
  tick.kind = JournalKind::kTick;
  tick.time += 3'600'000;
  records.push_back(tick);  // long enough for both sensors to be silent
  JournalRecord last = reading(41, "mill", 99);
  last.time = tick.time + 1;
  records.push_back(last);
  return records;
}

TEST(Machine, GivesTheSamePublicationsForTheSameRecords) {
  TestSite site{kMonitors};
  TestSite other{kMonitors};
  const auto first = make(site);
  const auto second = make(other);
  std::size_t count = 0;
  for (const auto& record : varied_records()) {
    const Publications one = feed(*first, record);
    EXPECT_EQ(one, feed(*second, record)) << "at record " << record.sequence;
    count += one.size();
  }
  EXPECT_GT(count, 20U);
}

/// Cuts the run at each record, by a checkpoint in SQLite and a machine that starts from it.
void expect_same_when_cut(const std::string& monitors, const std::string& more,
                          const std::vector<JournalRecord>& records) {
  TestSite site{monitors, more};
  const auto whole = make(site);
  std::vector<Publications> expected;
  for (const auto& record : records) expected.push_back(feed(*whole, record));

  for (std::size_t cut = 0; cut <= records.size(); ++cut) {
    TestSite before{monitors, more};
    storage::TempDir folder;
    storage::RecordingLog log;
    auto opened = storage::CheckpointStore::open(folder / "sluice.db", log);
    ASSERT_TRUE(opened);
    {
      const auto machine = make(before);
      for (std::size_t n = 0; n < cut; ++n) feed(*machine, records[n]);
      storage::CheckpointDelta delta;
      machine->snapshot(delta, false, 1);
      ASSERT_TRUE(opened->store->write({cut, kStart, machine->extras()}, delta, {}));
    }
    auto loaded = opened->store->load();
    ASSERT_TRUE(loaded);
    TestSite after{monitors, more};
    const auto machine = make(after, {&loaded->job, loaded->meta.extras, 0});
    for (std::size_t n = cut; n < records.size(); ++n) {
      EXPECT_EQ(feed(*machine, records[n]), expected[n])
          << "cut " << cut << ", record " << records[n].sequence;
    }
  }
}

TEST(Machine, RestoredAtAnyRecordGoesOnAsIfNothingHadHappened) {
  expect_same_when_cut(kMonitors, "", varied_records());
}

TEST(Machine, RestoredAtAnyRecordTakesTheSameReadingsForLate) {
  const std::string timed =
      "[[source]]\nname = \"timed\"\ntopic = \"timed/+\"\nformat = \"json\"\n"
      "sensor = \"/sensor\"\nlevel = \"/level\"\ntime = \"/time\"\ntime_format = \"epoch_ms\"\n";
  std::vector<JournalRecord> records;
  const auto at = [&](std::uint64_t second, Timestamp ago) {
    JournalRecord record = message(second, "timed", "timed/x", "");
    record.payload = to_json(Datum::Struct{
        {"sensor", "mill"}, {"level", static_cast<double>(second)}, {"time", record.time - ago}});
    records.push_back(std::move(record));
  };
  // Up to five seconds of disorder are no lateness; after half an hour the source is idle.
  at(1, 0);
  at(2, 4000);
  at(3, 60'000);
  at(4, 8000);
  at(5, 0);
  records.push_back(reading(6, "weir", 3));
  at(7, 9000);
  at(2000, 0);
  at(2001, 30'000);
  std::size_t late = 0;
  TestSite site{kMonitors, timed};
  const auto machine = make(site);
  for (const auto& record : records) {
    for (const auto& publication : feed(*machine, record)) {
      if (publication.payload.find("\"late\"") != std::string::npos) ++late;
    }
  }
  EXPECT_GE(late, 3U) << "this site must have late readings";
  expect_same_when_cut(kMonitors, timed, records);
}

TEST(Machine, DoesNotTakeAllForLateOnceAClockThatWasFarAheadIsSet) {
  TestSite site{kMonitors};
  const auto machine = make(site);
  constexpr Timestamp kYear = Timestamp{365} * 86'400'000;
  for (std::uint64_t n = 1; n <= 3; ++n) {
    auto ahead = reading(n, "mill", 10);
    ahead.time += kYear;
    feed(*machine, ahead);
  }
  JournalRecord step = message(4, "", "", storage::encode_clock_step(-kYear));
  step.kind = JournalKind::kClockStep;
  feed(*machine, step);
  for (std::uint64_t n = 5; n <= 8; ++n) feed(*machine, reading(n, "mill", 10));
  EXPECT_EQ(site.counters.late, 0U);
}

TEST(Machine, TellsPublicationsApartByRecordAndOrdinal) {
  TestSite site{kMonitors};
  const auto machine = make(site);
  feed(*machine, reading(1, "mill", 10));
  const auto alerts = those_on(feed(*machine, reading(2, "mill", 200)), "sluice/t/alert/");
  ASSERT_THAT(alerts, SizeIs(2));
  EXPECT_EQ(alerts[0].id.sequence, 2U);
  EXPECT_EQ(alerts[1].id.sequence, 2U);
  EXPECT_NE(alerts[0].id.ordinal, alerts[1].id.ordinal);
  EXPECT_EQ(member_of(alerts[0], "id"), Datum{to_string(alerts[0].id)});
}

TEST(Machine, CountsNothingASecondTime) {
  TestSite site{kMonitors};
  const auto machine = make(site);
  feed(*machine, reading(1, "mill", 101), true);
  feed(*machine, message(2, "levels", "site/x", "nonsense"), true);
  EXPECT_EQ(site.counters.readings, 0U);
  EXPECT_EQ(site.counters.alerts, 0U);
  EXPECT_THAT(site.counters.rejected(), IsEmpty());
  feed(*machine, reading(3, "mill", 102));
  EXPECT_EQ(site.counters.readings, 1U);
}

TEST(Machine, PassesOverMessagesOfSourcesThatAreNoMore) {
  TestSite site{kMonitors};
  const auto machine = make(site);
  EXPECT_THAT(feed(*machine, message(1, "gone", "site/x", "{}")), IsEmpty());
}

TEST(Machine, TakesRetainedReadingsForOldNews) {
  TestSite site{kMonitors};
  const auto machine = make(site);
  auto old = reading(1, "mill", 500);
  old.flags = storage::kFlagRetained;
  EXPECT_THAT(feed(*machine, old), IsEmpty());
  EXPECT_EQ(site.counters.retained_ignored, 1U);
}

TEST(Machine, RejectsPayloadsThatAreTooLarge) {
  TestSite site{kMonitors, "[limits]\npayload_size = \"64B\"\n"};
  const auto machine = make(site);
  const auto out = feed(*machine, message(1, "levels", "site/x", std::string(65, '1')));
  ASSERT_THAT(topics_of(out), ElementsAre("sluice/t/rejected/levels"));
  EXPECT_EQ(member_of(out[0], "reason"), Datum{"too-large"});
}

TEST(Machine, RejectsPayloadsThatTheirFormatThrowsOn) {
  TestSite site{kMonitors};
  site.config.sources[0].format = "fragile";
  const auto machine = make(site);
  const auto out = feed(*machine, message(1, "levels", "site/x", "666"));
  ASSERT_THAT(topics_of(out), ElementsAre("sluice/t/rejected/levels"));
  EXPECT_EQ(member_of(out[0], "detail"),
            Datum{"the format 'fragile' failed on it (the payload of the beast); this is a bug of "
                  "the format"});
  EXPECT_THAT(
      those_on(feed(*machine, message(2, "levels", "site/x", "1")), "sluice/t/alert/flood/"),
      SizeIs(1));
}

TEST(Machine, RejectsReadingsOfAFarFuture) {
  TestSite site{kMonitors, "[time]\nfuture = \"1min\"\n"};
  site.config.sources[0].options.set("time", std::string{"/time"});
  site.config.sources[0].options.set("time_format", std::string{"epoch_ms"});
  const auto machine = make(site);
  const auto at = [](Timestamp time) {
    return message(1, "levels", "site/x",
                   R"({"sensor":"mill","level":101,"time":)" + std::to_string(time) + "}");
  };
  const Timestamp now = at(0).time;
  EXPECT_THAT(topics_of(feed(*machine, at(now + 60'001))), ElementsAre("sluice/t/rejected/levels"));
  EXPECT_THAT(those_on(feed(*machine, at(now + 60'000)), "sluice/t/alert/flood/"), SizeIs(1));
}

TEST(Machine, RejectsLevelsThatNoSensorCanHaveAndBeginsAnewWhenTold) {
  TestSite site{"[[monitor]]\nname = \"rain\"\nkind = \"sum\"\n"};
  const auto machine = make(site);
  const auto sum = [&](const JournalRecord& record) {
    return member_of(feed(*machine, record).at(0), "value");
  };
  for (const double absurd : {1.7e308, -1.7e308, 1.1e15}) {
    const auto out = feed(*machine, reading(1, "mill", absurd));
    ASSERT_THAT(topics_of(out), ElementsAre("sluice/t/rejected/levels"));
    EXPECT_EQ(member_of(out[0], "reason"), Datum{"out-of-range"});
  }
  EXPECT_EQ((site.counters.rejected()[{"levels", RejectReason::kOutOfRange}]), 3U);
  EXPECT_EQ(sum(reading(2, "mill", 1e15)), Datum{1e15});
  EXPECT_EQ(sum(reading(3, "mill", 0.125)), Datum{1e15 + 0.125});
  feed(*machine, setting(4, "rain/mill", "{\"reset\": true}"));
  EXPECT_EQ(sum(reading(5, "mill", 0.2)), Datum{0.2});
  feed(*machine, setting(6, "rain/mill", "{\"reset\": true}", true));
  EXPECT_EQ(sum(reading(7, "mill", 0.25)), Datum{0.45}) << "a reset that was kept is an old one";
}

TEST(Machine, LooksAtTheTimeOfTicks) {
  TestSite site{kMonitors};
  const auto machine = make(site);
  feed(*machine, reading(1, "mill", 10));
  auto tick = message(11, "", "", "");
  tick.kind = JournalKind::kTick;
  EXPECT_THAT(those_on(feed(*machine, tick), "sluice/t/alert/quiet/"), IsEmpty());
  tick.time += 1;  // timers before it fire
  tick.sequence = 12;
  EXPECT_THAT(those_on(feed(*machine, tick), "sluice/t/alert/quiet/"), SizeIs(1));
}

TEST(Machine, LetsDelaysCountRealTimeWhenTheClockIsSet) {
  TestSite site{kMonitors};
  const auto machine = make(site);
  feed(*machine, reading(1, "mill", 10));
  auto step = message(2, "", "", storage::encode_clock_step(86'400'000));
  step.kind = JournalKind::kClockStep;
  step.time += 86'400'000;
  EXPECT_THAT(feed(*machine, step), IsEmpty()) << "a day did not pass";
  auto tick = message(12, "", "", "");
  tick.kind = JournalKind::kTick;
  tick.time += 86'400'000;
  EXPECT_THAT(those_on(feed(*machine, tick), "sluice/t/alert/quiet/"), SizeIs(1));
}

TEST(Machine, HoldsDelaysBackAfterARestartUntilWhatTheBrokerKeptIsIn) {
  TestSite site{kMonitors};
  const auto machine = make(site);
  feed(*machine, reading(1, "mill", 10));
  feed(*machine, reading(2, "weir", 10));
  // Down for an hour; both sensors sent on, but only one message has come in so far.
  const Timestamp down = 3'600'000;
  auto hold = message(3, "", "", storage::encode_hold(true));
  hold.kind = JournalKind::kHold;
  hold.time += down;
  EXPECT_THAT(feed(*machine, hold), IsEmpty());
  EXPECT_TRUE(machine->held());
  auto kept = reading(4, "mill", 11);
  kept.time += down;
  EXPECT_THAT(those_on(feed(*machine, kept), "sluice/t/alert/quiet/"), IsEmpty());
  auto release = message(5, "", "", storage::encode_hold(false));
  release.kind = JournalKind::kHold;
  release.time += down;
  const auto alerts = those_on(feed(*machine, release), "sluice/t/alert/quiet/");
  ASSERT_THAT(alerts, SizeIs(1)) << "only the sensor that was silent all the time";
  EXPECT_EQ(alerts[0].topic, "sluice/t/alert/quiet/weir");
  EXPECT_FALSE(machine->held());
}

TEST(Machine, KnowsAfterACrashThatDelaysAreHeldBack) {
  TestSite site{kMonitors};
  const auto machine = make(site);
  auto hold = message(1, "", "", storage::encode_hold(true));
  hold.kind = JournalKind::kHold;
  feed(*machine, hold);
  MachineStart start;
  start.extras = machine->extras();
  auto again = Machine::start(site.config, site.kinds->registry, start, site.counters, site.log);
  ASSERT_TRUE(again);
  EXPECT_TRUE((*again)->held());
}

TEST(Machine, SaysWhenAFaultOfTheDaemonBeginsAndWhenItIsOver) {
  TestSite site{kMonitors};
  const auto machine = make(site);
  const auto begun = feed(*machine, message(1, "$fault", "journal", "not durable: disk full"));
  ASSERT_THAT(begun, SizeIs(2)) << "an alert and the retained state";
  EXPECT_EQ(begun[0].topic, "sluice/t/alert/sluice/journal");
  EXPECT_THAT(begun[0].payload, testing::HasSubstr("\"state\":\"active\""));
  const auto over = feed(*machine, message(2, "$fault-over", "journal", "over: disk full"));
  ASSERT_THAT(over, SizeIs(2));
  EXPECT_THAT(over[1].payload, testing::HasSubstr("\"state\":\"cleared\""));
}

TEST(Machine, AsksForTicksUntilAllTimersHaveFiredAndThenForNone) {
  TestSite site{"[[monitor]]\nname = \"quiet\"\nkind = \"silence\"\nafter = \"10s\"\n"};
  const auto machine = make(site);
  feed(*machine, reading(1, "mill", 10));
  Publications out;
  std::uint64_t sequence = 1;
  while (const auto due = machine->next_tick()) {
    auto tick = message(++sequence, "", "", "");
    tick.kind = JournalKind::kTick;
    tick.time = *due;
    machine->process(tick, false, out);
    ASSERT_LT(sequence, 20U) << "each is a record in the journal";
  }
  EXPECT_THAT(those_on(out, "sluice/t/alert/quiet/"), SizeIs(1));
}

TEST(Machine, CountsOnlyWhatWasProcessedToItsEnd) {
  TestSite site{"[[monitor]]\nname = \"weak\"\nkind = \"fragile\"\n"};
  const auto machine = make(site);
  fragile_failures() = 1;
  EXPECT_THROW(feed(*machine, reading(1, "mill", 666)), OperatorFailure);
  EXPECT_EQ(site.counters.messages, 0U);
  EXPECT_EQ(site.counters.readings, 0U);
}

TEST(Machine, DoesNotShowAMonitorTheMessageThatWasSetAsideForIt) {
  TestSite site{kMonitors};
  const auto machine = make(site);
  feed(*machine, reading(1, "mill", 10));
  machine->set_aside(2, "jump");
  const auto out = feed(*machine, reading(2, "mill", 101));
  EXPECT_THAT(those_on(out, "sluice/t/alert/jump/"), IsEmpty());
  EXPECT_THAT(those_on(out, "sluice/t/alert/flood/"), SizeIs(1));
  EXPECT_THAT(those_on(feed(*machine, reading(3, "mill", 50)), "sluice/t/alert/jump/"), SizeIs(1));
}

TEST(Machine, GivesOutCommandsOnce) {
  TestSite site{kMonitors};
  const auto machine = make(site);
  feed(*machine, message(1, "$command", "sluice/t/command/checkpoint", ""));
  EXPECT_THAT(machine->take_commands(), ElementsAre("checkpoint"));
  EXPECT_THAT(machine->take_commands(), IsEmpty());
}

TEST(Machine, KnowsWhichMonitorAnOperatorBelongsTo) {
  TestSite site{kMonitors};
  const auto machine = make(site);
  EXPECT_EQ(machine->monitor_of("jump"), "jump");
  EXPECT_EQ(machine->monitor_of("jump/sink"), "jump") << "an operator without uid";
  EXPECT_EQ(machine->monitor_of("jumper"), "");
  EXPECT_EQ(machine->monitor_of("$source.levels"), "");
}

TEST(Machine, NamesTheOperatorThatFailed) {
  TestSite site{"[[monitor]]\nname = \"weak\"\nkind = \"fragile\"\n"};
  const auto machine = make(site);
  fragile_failures() = 1;
  try {
    feed(*machine, reading(1, "mill", 666));
    FAIL() << "it did not fail";
  } catch (const OperatorFailure& failure) {
    EXPECT_EQ(failure.uid(), "weak");
    EXPECT_EQ(failure.cause(), "the level of the beast");
  }
}

}  // namespace
}  // namespace sluice::daemon
