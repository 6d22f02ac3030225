// The daemon's start on what an earlier run left: a journal to replay, a checkpoint to load.
#include <filesystem>

#include "daemon/logging.hpp"
#include "storage/journal/journal.hpp"
#include "storage/journal/reader.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/daemon_process.hpp"
#include "tests/bench/events.hpp"
#include "tests/bench/level_summary.hpp"
#include "tests/bench/site.hpp"

namespace sluice::bench {

namespace {

constexpr std::chrono::seconds kLimit{300};

std::string journal_dir(const Site& site) { return site.data_dir() + "/journal"; }

/// As if the daemon had taken them in and died.
void leave_journal(const Site& site, std::size_t count, std::size_t sensors, Log& log) {
  std::filesystem::remove_all(site.data_dir());
  std::filesystem::create_directories(site.data_dir());
  auto journal = must(storage::Journal::open({.dir = journal_dir(site)}, log));
  MessageView message;
  message.source = "levels";
  message.topic = kSiteTopic;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string payload = site_payload(i, sensors);
    message.payload = payload;
    message.received = static_cast<Timestamp>(i);
    message.packet_id = static_cast<std::uint16_t>(i);
    journal->append_message(message);
  }
}

double read_alone(const Site& site, Log& log) {
  return seconds_of([&] {
    storage::JournalReader reader{journal_dir(site), 0, log};
    storage::JournalRecord record;
    std::size_t count = 0;
    while (must(reader.next(record))) ++count;
    keep(static_cast<double>(count));
  });
}

void replay(const Site& site, const Effort& effort, Table& table, Log& log) {
  leave_journal(site, effort.events, 100, log);
  const double alone = read_alone(site, log);
  DaemonProcess daemon{site.config_path(), kLimit};
  const double seconds = daemon.seconds_to_ready();
  table.print({.figure = "start: replay, 100 sensors",
               .ours = per_second(seconds, effort.events, "msg"),
               .baseline = per_second(alone, effort.events, "msg"),
               .ratio = alone / seconds,
               .goal = Goal{300'000},
               .measured = static_cast<double>(effort.events) / seconds});
  daemon.stop(kLimit);
}

void many_keys(const Site& site, const Effort& effort, Table& table, Log& log) {
  leave_journal(site, effort.many_keys, effort.many_keys, log);
  const std::string keys = std::to_string(effort.many_keys) + " sensors";
  {
    DaemonProcess daemon{site.config_path(), kLimit};
    table.print({.figure = "start: replay, all of " + keys + " new",
                 .ours = per_second(daemon.seconds_to_ready(), effort.many_keys, "msg")});
    table.print(
        {.figure = "stop: checkpoint of " + keys, .ours = number(daemon.stop(kLimit), 2) + " s"});
  }
  const double plain = seconds_of([&] { plain_read(site.data_dir() + "/sluice.db"); });
  DaemonProcess daemon{site.config_path(), kLimit};
  table.print({.figure = "start: checkpoint of " + keys + "; read(2) of it",
               .ours = number(daemon.seconds_to_ready(), 2) + " s",
               .baseline = number(plain, 2) + " s",
               .goal = Goal{3, false},
               .measured = daemon.seconds_to_ready()});
  daemon.stop(kLimit);
}

}  // namespace

void recovery(const Effort& effort, Table& table) {
  table.section("Start to READY on a journal or a checkpoint; baseline: reading the journal alone");
  const auto log = daemon::make_log({.level = LogLevel::kWarning});
  Site site;
  replay(site, effort, table, *log);
  many_keys(site, effort, table, *log);
}

}  // namespace sluice::bench
