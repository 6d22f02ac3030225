// power-cut: a real ext4 file system loses its power at random moments while the daemon writes to
// it and numbered readings come in; then state and alerts are compared with what must be.
//
//   power-cut --rounds 50 [--sync each|alert|never] [--seed S]
//
// Without --sync the first two are tried, each with so many rounds. Exit status 0: the promise was
// kept; 1: it was not; 2: the rig failed; 77: this machine has no such disk (it takes root and loop
// devices), and the output says why.
#include <cstdio>
#include <random>

#include "tests/crash/power_cut/rig.hpp"
#include "tests/support/command_line.hpp"

namespace {

constexpr int kSkipped = 77;

/// Whether the promise was kept.
bool cut(const sluice::crash::PowerOptions& options) {
  const auto n = [](std::uint64_t number) { return static_cast<unsigned long long>(number); };
  const auto report = sluice::crash::PowerRig{options}.run();
  const auto& v = report.verdict;
  std::printf(
      "sync %s: rounds %d, readings %llu, lost %llu (in %llu gaps; too early %llu), counted twice "
      "%llu, alerts missing %llu, alerts of lost readings %llu, alerts repeated %llu (recognisable "
      "%llu), databases sound %d\n",
      options.sync.c_str(), options.rounds, n(v.readings), n(v.lost), n(v.gaps),
      n(v.lost_too_early), n(v.counted_twice), n(v.alerts_missing), n(v.alerts_unknown),
      n(v.alerts_repeated), n(v.recognisable), report.databases_sound);
  for (const auto& fault : report.databases_damaged) std::printf("  %s\n", fault.c_str());
  return report.kept;
}

}  // namespace

int main(int argc, char** argv) {
  sluice::crash::PowerOptions options;
  options.sluice = std::string{SLUICE_BIN_DIR} + "/sluice";
  options.seed = std::random_device{}();
  std::vector<std::string> ways{"each", "alert"};
  sluice::test::CommandLine line{
      "Cuts the power of the daemon's disk at random moments and compares what is left"};
  line.number("--rounds", options.rounds, "How often, for each way to sync", 1, 100000);
  line.choices("--sync", ways, "journal.sync of the daemon", {"each", "alert", "never"});
  line.seed(options.seed, "Repeats the moments of an earlier run");
  line.text("--sluice", options.sluice, "The program under test");
  if (const auto status = line.parse(argc, argv)) return *status;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("power-cut: seed %llu\n", static_cast<unsigned long long>(options.seed));
  try {
    bool kept = true;
    for (const auto& way : ways) {
      options.sync = way;
      kept = cut(options) && kept;
    }
    return kept ? 0 : 1;
  } catch (const sluice::test::LoopDisk::Unavailable& e) {
    std::printf("skipped: no file system that can lose its power here: %s\n", e.what());
    return kSkipped;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "power-cut: %s\n", e.what());
    return 2;
  }
}
