// bench [--only NAME]… [--quick | --smoke] [--keys N] [--minutes N]: prints figures, each with the
// ratio to a baseline that was measured in turns with it. Goals are printed, not enforced: machines
// differ.
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/benchmarks.hpp"

namespace sluice::bench {

namespace {

// First what measures in processes of its own: those need a parent without threads.
constexpr std::array<Benchmark, 12> kBenchmarks{{{"pipeline", pipeline},
                                                 {"states", states},
                                                 {"away", away},
                                                 {"timers", timers},
                                                 {"streams", streams},
                                                 {"snapshots", snapshots},
                                                 {"journal", journal},
                                                 {"mqtt", mqtt},
                                                 {"latency", latency},
                                                 {"recovery", recovery},
                                                 {"process", process},
                                                 {"disk", disk}}};

std::string processor() {
  std::ifstream info{"/proc/cpuinfo"};
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

void print_machine() {
  utsname system{};
  uname(&system);
#ifdef __clang__
  const char* compiler = "clang " __clang_version__;
#else
  const char* compiler = "g++ " __VERSION__;
#endif
  std::printf("%s, %u cores, %s %s %s\n%s, %s\n", processor().c_str(),
              std::thread::hardware_concurrency(), system.sysname, system.release, system.machine,
              compiler, SLUICE_BENCH_FLAGS);
}

int usage() {
  std::fprintf(stderr,
               "usage: bench [--only NAME]... [--quick | --smoke] [--keys N] "
               "[--minutes N]\nnames:");
  for (const auto& benchmark : kBenchmarks) std::fprintf(stderr, " %s", benchmark.name);
  std::fprintf(stderr, "\n");
  return 64;
}

int run(const std::vector<std::string>& only, const Effort& effort) {
  print_machine();
  Table table;
  bool failed = false;
  for (const auto& benchmark : kBenchmarks) {
    if (!only.empty() && std::find(only.begin(), only.end(), benchmark.name) == only.end()) {
      continue;
    }
    const int before = table.counts().rows;
    try {
      benchmark.run(effort, table);
    } catch (const std::exception& e) {
      std::printf("%s failed: %s\n", benchmark.name, e.what());
      failed = true;
    }
    if (table.counts().rows == before) failed = true;
  }
  std::printf("\n%d rows, %d goals missed\n", table.counts().rows, table.counts().missed);
  return failed ? 1 : 0;
}

}  // namespace

std::span<const Benchmark> all_benchmarks() { return kBenchmarks; }

}  // namespace sluice::bench

int main(int argc, char** argv) {
  using namespace sluice::bench;
  std::vector<std::string> only;
  Effort effort = Effort::full();
  std::optional<std::size_t> keys;
  std::optional<std::chrono::minutes> minutes;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool named =
        argument == "--only" && i + 1 < argc &&
        std::any_of(all_benchmarks().begin(), all_benchmarks().end(),
                    [&](const auto& b) { return std::strcmp(b.name, argv[i + 1]) == 0; });
    if (named) {
      only.emplace_back(argv[++i]);
    } else if (argument == "--keys" && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
      keys = static_cast<std::size_t>(std::atoi(argv[++i]));
    } else if (argument == "--minutes" && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
      minutes = std::chrono::minutes{std::atoi(argv[++i])};
    } else if (argument == "--quick") {
      effort = Effort::quick();
    } else if (argument == "--smoke") {
      effort = Effort::smoke();
    } else {
      return usage();
    }
  }
  if (minutes) effort.away = *minutes;
  if (keys) effort.key_counts = {*keys};
  return run(only, effort);
}
