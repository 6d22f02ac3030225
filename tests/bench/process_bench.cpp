// The real program: its memory at rest, and the time from its start to READY.
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/bench/benchmarks.hpp"
#include "tests/bench/notify_socket.hpp"
#include "tests/bench/site.hpp"
#include "tests/support/process.hpp"

namespace sluice::bench {

namespace {

/// A line of /proc/<pid>/status or smaps_rollup, in MiB.
double memory(pid_t pid, const std::string& file, const std::string& name) {
  std::ifstream in{"/proc/" + std::to_string(pid) + "/" + file};
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(name + ":", 0) != 0) continue;
    std::istringstream words{line.substr(name.size() + 1)};
    double kib = 0;
    words >> kib;
    return kib / 1024;
  }
  throw std::runtime_error("no " + name + " of process " + std::to_string(pid));
}

std::string mebibytes(double value) { return number(value, 1) + " MiB"; }

test::Process::Setup sluice(std::vector<std::string> arguments) {
  return {.program = std::filesystem::path{SLUICE_BIN_DIR} / "sluice",
          .arguments = std::move(arguments),
          .environment = {},
          .folder = {}};
}

double start_to_end_of_version() {
  return seconds_of([] {
    test::Process version{sluice({"version"})};
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
    NotifySocket socket;
    auto setup = sluice({"run", "-c", site.config_path()});
    setup.environment["NOTIFY_SOCKET"] = socket.path();
    std::unique_ptr<test::Process> daemon;
    starts.push_back(seconds_of([&] {
      daemon = std::make_unique<test::Process>(setup);
      socket.wait_for_ready(std::chrono::seconds{30});
    }));
    if (i + 1 == effort.repetitions) {
      std::this_thread::sleep_for(std::chrono::seconds{3});
      resident = memory(daemon->pid(), "status", "VmRSS");
      highest = memory(daemon->pid(), "status", "VmHWM");
      own = memory(daemon->pid(), "smaps_rollup", "Pss_Anon");
    }
    daemon->signal(SIGTERM);
    daemon->wait();
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
