// storage-faults: the checkpoint store on a file system that fails, at each operation in turn.
//
//   storage-faults [--only NAME] [--step N] [--seed S] [--verbose]
//
// One line a kind of fault: how many places were tried, at how many of them the fault came, and how
// often something confirmed was not there afterwards. Exit status 0 if that was never.
#include <array>
#include <cstdio>

#include "tests/crash/storage_faults/trial.hpp"
#include "tests/support/command_line.hpp"

namespace {

using sluice::crash::Before;
using sluice::crash::TrialSetup;
using sluice::test::Fault;
using sluice::test::Unsynced;

struct Kind {
  const char* name;
  TrialSetup setup;
  int repeats;  ///< with other seeds
};

constexpr std::array kKinds{
    Kind{"open-cantopen", {.fault = Fault::kOpen}, 1},
    Kind{"open-cantopen-lasting", {.fault = Fault::kOpen, .lasting = true}, 1},
    Kind{"read-eio", {.fault = Fault::kRead}, 1},
    Kind{"read-eio-lasting", {.fault = Fault::kRead, .lasting = true}, 1},
    Kind{"read-short", {.fault = Fault::kShortRead}, 1},
    Kind{"write-eio", {.fault = Fault::kWrite}, 1},
    Kind{"write-eio-lasting", {.fault = Fault::kWrite, .lasting = true}, 1},
    Kind{"write-full", {.fault = Fault::kFull}, 1},
    Kind{"write-full-lasting", {.fault = Fault::kFull, .lasting = true}, 1},
    Kind{"sync-eio", {.fault = Fault::kSync}, 1},
    Kind{"sync-eio-lasting", {.fault = Fault::kSync, .lasting = true}, 1},
    Kind{"truncate-eio", {.fault = Fault::kTruncate}, 1},
    Kind{"power-cut-all-lost", {.fault = Fault::kPowerCut, .unsynced = Unsynced::kLost}, 1},
    Kind{"power-cut-some-sectors",
         {.fault = Fault::kPowerCut, .unsynced = Unsynced::kRandomSectors},
         3},
};

struct Choice {
  int step{1};  ///< only each so manieth operation
  std::uint64_t seed{1};
  bool verbose{};
};

struct Tally {
  std::uint64_t tried{};
  std::uint64_t fired{};
  std::uint64_t violations{};
};

void try_all(const Kind& kind, TrialSetup setup, const Choice& choice, Tally& tally) {
  for (setup.nth = 1;; setup.nth += static_cast<std::uint64_t>(choice.step)) {
    ++tally.tried;
    const auto result = run_trial(setup);
    if (!result.violation.empty()) {
      if (choice.verbose || tally.violations == 0) {
        std::printf("%s: operation %llu, %s: %s\n", kind.name,
                    static_cast<unsigned long long>(setup.nth),
                    setup.before == Before::kNothing ? "new database" : "after a kill",
                    result.violation.c_str());
      }
      ++tally.violations;
    }
    if (!result.fired) return;
    ++tally.fired;
  }
}

/// True if nothing was lost and the fault did come.
bool run_kind(const Kind& kind, const Choice& choice) {
  Tally tally;
  for (const Before before : {Before::kNothing, Before::kKilled}) {
    for (int repeat = 0; repeat < kind.repeats; ++repeat) {
      TrialSetup setup = kind.setup;
      setup.before = before;
      setup.seed = choice.seed + static_cast<std::uint64_t>(repeat);
      try_all(kind, setup, choice, tally);
    }
  }
  const auto n = [](std::uint64_t number) { return static_cast<unsigned long long>(number); };
  std::printf("%s: %llu tried, %llu fired, %llu violations\n", kind.name, n(tally.tried),
              n(tally.fired), n(tally.violations));
  std::fflush(stdout);
  return tally.violations == 0 && tally.fired > 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::string only;
  Choice choice;
  sluice::test::CommandLine line{"Makes each file operation of the checkpoint store fail once"};
  line.text("--only", only, "One kind of fault, as the output names it");
  line.number("--step", choice.step, "Only each so manieth operation", 1, 100000);
  line.seed(choice.seed, "Which sectors a power cut leaves");
  line.flag("--verbose", choice.verbose, "Each violation instead of the first of a kind");
  if (const auto status = line.parse(argc, argv)) return *status;
  bool good = true;
  bool any = false;
  try {
    for (const Kind& kind : kKinds) {
      if (!only.empty() && only != kind.name) continue;
      any = true;
      good = run_kind(kind, choice) && good;
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "storage-faults: %s\n", e.what());
    return 2;
  }
  if (!any) std::fprintf(stderr, "storage-faults: there is no fault '%s'\n", only.c_str());
  return !any ? 2 : good ? 0 : 1;
}
