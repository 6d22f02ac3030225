#include "tests/soak/bounds.hpp"

#include <cstdio>
#include <map>

#include "tests/soak/soak.hpp"
#include "tests/support/sanitized.hpp"

namespace sluice::soak {
namespace {

constexpr double kMiB = 1024 * 1024;
// Half an hour of it reached 22.5 MiB of memory, grew by 0.2, and had 4.7 MiB of database, 18 files
// and 9 threads. An outbox filled to its bound of 8 MiB may come on top of that memory; of the
// rest, half as much again.
constexpr double kMostMemory = 32;   // MiB, at any time
constexpr double kMostGrowth = 1;    // MiB, from the first to the last third
constexpr double kMostDatabase = 8;  // MiB, with copy and log
constexpr std::uint64_t kMostFiles = 28;
constexpr std::uint64_t kMostThreads = 12;

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / kMiB; }

unsigned long long n(std::uint64_t number) { return number; }

}  // namespace

void check_bounds(Report& report) {
  const auto require = [&](bool promise, const char* otherwise) {
    if (!promise) report.violations.emplace_back(otherwise);
  };
  const Verdict& v = report.verdict;
  require(v.lost == 0, "readings were lost");
  require(v.counted_twice == 0, "readings were counted twice");
  require(v.strangers == 0, "something was counted that was never sent");
  require(v.alerts_missing == 0, "alerts are missing");
  require(v.alerts_repeated == v.recognisable, "alerts were repeated with another id");
  require(v.alerts_strange == 0, "there were alerts of nothing that was sent");
  require(test::kSanitized || report.memory.highest <= kMostMemory, "more memory than 32 MiB");
  require(test::kSanitized || report.memory.last <= report.memory.first + kMostGrowth,
          "memory grew by more than 1 MiB from the first to the last third");
  require(mebibytes(report.most_database) <= kMostDatabase, "a database above 8 MiB");
  require(report.most_files <= kMostFiles, "more than 28 open files");
  require(report.most_threads <= kMostThreads, "more than 12 threads");
}

void print(const Report& report) {
  const Verdict& v = report.verdict;
  std::printf(
      "readings %llu (published again by the sensor %llu, at the risk of a killed broker %llu), "
      "lost %llu, counted twice %llu, never sent %llu\n",
      n(v.readings), n(v.sent_twice), n(v.at_risk), n(v.lost), n(v.counted_twice), n(v.strangers));
  std::printf(
      "alerts %llu, missing %llu, repeated %llu (recognisable %llu), of nothing that was sent "
      "%llu\n",
      n(v.alerts), n(v.alerts_missing), n(v.alerts_repeated), n(v.recognisable),
      n(v.alerts_strange));
  std::map<std::string, int> faults;
  for (const Blow& blow : report.blows) ++faults[blow.name];
  std::printf("faults %zu:", report.blows.size());
  for (const auto& [name, count] : faults) std::printf(" %s %d;", name.c_str(), count);
  std::printf(" daemons %llu\n", n(report.processes));
  std::printf("memory at most %.1f MiB", report.memory.highest);
  if (report.memory.minutes > 0)
    std::printf(
        "; of the process that lived longest, over %.1f minutes: first third %.2f MiB, last "
        "third %.2f MiB\n",
        report.memory.minutes, report.memory.first, report.memory.last);
  else
    std::printf("; no process lived long enough to see it grow\n");
  std::printf(
      "journal at most %.1f MiB (%.1f MiB after the last restart), database with copy at most %.1f "
      "MiB, outbox at most %llu messages, open files at most %llu, threads at most %llu\n",
      mebibytes(report.most_journal), mebibytes(report.last_journal),
      mebibytes(report.most_database), n(report.most_waiting), n(report.most_files),
      n(report.most_threads));
  if (!report.no_plot.empty()) std::printf("no plot: %s\n", report.no_plot.c_str());
  for (const auto& violation : report.violations) std::printf("VIOLATION %s\n", violation.c_str());
}

}  // namespace sluice::soak
