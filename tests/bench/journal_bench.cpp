// The journal's append and replay, against plain writes and reads of as many bytes.
#include <fcntl.h>
#include <unistd.h>

#include <vector>

#include "daemon/logging.hpp"
#include "storage/journal/journal.hpp"
#include "storage/journal/reader.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/level_summary.hpp"
#include "tests/support/temp_dir.hpp"

namespace sluice::bench {

namespace {

constexpr std::size_t kPayload = 100;
constexpr std::size_t kOnDisk = 140;  ///< of a record with that payload, about

void plain_writes(const std::string& path, std::size_t count) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const std::string record(kOnDisk, 'x');
  for (std::size_t i = 0; i < count; ++i) {
    if (::write(fd, record.data(), record.size()) < 0) throw std::runtime_error("cannot write");
  }
  ::close(fd);
}

void append(const std::string& dir, std::size_t count, Log& log) {
  auto journal = must(storage::Journal::open({.dir = dir}, log));
  const std::string payload(kPayload, '7');
  MessageView message;
  message.source = "site";
  message.topic = "site/levels/sensor-000123";
  message.payload = payload;
  for (std::size_t i = 0; i < count; ++i) {
    message.received = static_cast<Timestamp>(i);
    message.packet_id = static_cast<std::uint16_t>(i);
    journal->append_message(message);
  }
}

std::size_t replay(const std::string& dir, Log& log) {
  storage::JournalReader reader{dir, 0, log};
  storage::JournalRecord record;
  std::size_t count = 0;
  while (must(reader.next(record))) ++count;
  return count;
}

}  // namespace

void journal(const Effort& effort, Table& table) {
  table.section("Journal, 100-byte payloads, no sync; baseline: plain write(2), read(2)");
  const auto log = daemon::make_log({.level = LogLevel::kWarning});
  const std::size_t count = effort.messages * 5;
  std::unique_ptr<test::TempDir> folder;
  const auto appended = compare(
      effort.repetitions,
      [&] {
        folder = std::make_unique<test::TempDir>();
        plain_writes(*folder / "plain", count);
      },
      [&] { append(*folder / "journal", count, *log); });
  table.print({.figure = "append",
               .ours = per_second(appended.ours, count, "rec"),
               .baseline = per_second(appended.baseline, count, "rec"),
               .ratio = appended.ratio});
  const auto read = compare(
      effort.repetitions, [&] { plain_read(*folder / "plain"); },
      [&] {
        if (replay(*folder / "journal", *log) != count) throw std::runtime_error("records missing");
      });
  const double rate = static_cast<double>(count) / read.ours;
  table.print({.figure = "replay, reading alone",
               .ours = per_second(read.ours, count, "rec"),
               .baseline = per_second(read.baseline, count, "rec"),
               .ratio = read.ratio,
               .goal = Goal{300'000},
               .measured = rate});
}

}  // namespace sluice::bench
