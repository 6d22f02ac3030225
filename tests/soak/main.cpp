// soak: the daemon under a mixed load and random faults, for as long as you like; what it used is
// sampled, and at the end everything is compared with what must be.
//
//   soak --minutes 30 [--seed S] [--out FOLDER] [--rate MESSAGES-A-SECOND]
//
// Exit status 0: all promises were kept; 1: one was not; 2: the rig failed.
#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <random>

#include "tests/soak/bounds.hpp"
#include "tests/soak/soak.hpp"
#include "tests/support/command_line.hpp"

namespace {

/// Whether a process that the rig started still runs.
bool is_childless() { return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

}  // namespace

int main(int argc, char** argv) {
  sluice::soak::Options options;
  std::string sluice = std::string{SLUICE_BIN_DIR} + "/sluice";
  options.seed = std::random_device{}();
  std::string out;
  sluice::test::CommandLine line{"Runs the daemon under load and faults and watches it"};
  line.number("--minutes", options.minutes, "How long", 0.1, 100000.0);
  line.seed(options.seed, "Repeats the faults of an earlier run");
  line.number("--rate", options.rate, "Messages a second", 1, 10000);
  line.text("--out", out, "Folder for samples.csv, faults.csv, soak.svg and daemon.log");
  line.text("--sluice", sluice, "The program under test");
  if (const auto status = line.parse(argc, argv)) return *status;
  options.sluice = sluice;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("soak: %.2f minutes, seed %llu, %d messages a second\n", options.minutes,
              static_cast<unsigned long long>(options.seed), options.rate);
  if (!sluice::soak::World::has_clock()) std::printf("no libfaketime here: the clock is not set\n");
  try {
    sluice::test::TempDir nowhere;
    options.out = out.empty() ? nowhere.path() : std::filesystem::path{out};
    std::filesystem::create_directories(options.out);
    sluice::soak::Report report = sluice::soak::Soak{options}.run();
    if (!is_childless()) report.violations.emplace_back("a process is left");
    sluice::soak::print(report);
    std::printf("soak: %s\n", report.violations.empty() ? "all promises kept" : "NOT all kept");
    return report.violations.empty() ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "soak: %s\n", e.what());
    return 2;
  }
}
