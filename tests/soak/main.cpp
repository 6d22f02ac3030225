// soak: the daemon under a mixed load and random faults, for as long as you like; what it used is
// sampled, and at the end everything is compared with what must be.
//
//   soak --minutes 30 [--seed S] [--out FOLDER] [--rate MESSAGES-A-SECOND]
//
// Exit status 0: all promises were kept; 1: one was not; 2: the rig failed.
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>

#include "tests/soak/bounds.hpp"
#include "tests/soak/soak.hpp"

namespace {

/// Whether a process that the rig started still runs.
bool is_childless() { return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

}  // namespace

int main(int argc, char** argv) {
  sluice::soak::Options options;
  options.sluice = std::string{SLUICE_BIN_DIR} + "/sluice";
  options.seed = std::random_device{}();
  std::string out;
  CLI::App app{"Runs the daemon under load and faults and watches it"};
  app.add_option("--minutes", options.minutes, "How long")->check(CLI::Range(0.1, 100000.0));
  app.add_option("--seed", options.seed, "Repeats the faults of an earlier run");
  app.add_option("--rate", options.rate, "Messages a second")->check(CLI::Range(1, 10000));
  app.add_option("--out", out, "Folder for samples.csv, faults.csv, soak.svg and daemon.log");
  app.add_option("--sluice", options.sluice, "The program under test");
  CLI11_PARSE(app, argc, argv);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("soak: %.2f minutes, seed %llu, %d messages a second\n", options.minutes,
              static_cast<unsigned long long>(options.seed), options.rate);
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
