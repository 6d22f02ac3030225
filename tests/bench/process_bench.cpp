// The real program: its memory at rest, and the time from its start to READY.
#include <filesystem>
#include <thread>

#include "tests/bench/benchmarks.hpp"
#include "tests/bench/daemon_process.hpp"
#include "tests/bench/site.hpp"

namespace sluice::bench {

namespace {

std::string mebibytes(double value) { return number(value, 1) + " MiB"; }

double start_to_end_of_version() {
  return seconds_of([] {
    test::Process version{sluice_process({"version"})};
    version.wait();
  });
}

}  // namespace

void process(const Effort& effort, Table& table) {
  table.section("The process; baseline of the start: `sluice version`");
  Site site;
  std::vector<double> starts;
  std::vector<double> versions;
  double resident = 0;
  double own = 0;
  double highest = 0;
  for (int i = 0; i < effort.repetitions; ++i) {
    versions.push_back(start_to_end_of_version());
    std::filesystem::remove_all(site.data_dir());
    DaemonProcess daemon{site.config_path()};
    starts.push_back(daemon.seconds_to_ready());
    if (i + 1 == effort.repetitions) {
      std::this_thread::sleep_for(std::chrono::seconds{3});
      resident = daemon.memory_mib("status", "VmRSS");
      highest = daemon.memory_mib("status", "VmHWM");
      own = daemon.memory_mib("smaps_rollup", "Pss_Anon");
    }
    daemon.stop();
  }
  const double start = median(starts) * 1e3;
  const double version = median(versions) * 1e3;
  table.print({.figure = "start to READY, no state",
               .ours = number(start) + " ms",
               .baseline = number(version) + " ms",
               .ratio = version / start,
               .goal = Goal{200, false},
               .measured = start});
  table.print({.figure = "resident memory at rest",
               .ours = mebibytes(resident),
               .goal = Goal{15, false},
               .measured = resident});
  table.print({.figure = "  of it: not file-backed", .ours = mebibytes(own)});
  table.print({.figure = "  highest since the start", .ours = mebibytes(highest)});
}

}  // namespace sluice::bench
