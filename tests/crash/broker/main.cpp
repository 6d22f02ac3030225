// broker-faults: lets the broker, or the network to it, fail in each way of a table while numbered
// readings come in, and compares what is left.
//
//   broker-faults [--rounds N] [--mqtt 3|5] [--longest S] [--only TEXT] [--seed S]
//
// A cut network needs root and the tools `ip`, `unshare` and `nsenter`; where they are not there,
// it says so and counts those faults as not possible. Exit status 0: all promises were kept; 1: not
// all; 2: the rig failed.
#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include "tests/crash/broker/rig.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/sanitized.hpp"

namespace {

using sluice::crash::BrokerRig;
using sluice::crash::Fault;
using sluice::crash::kFaults;
using sluice::crash::Network;
using sluice::crash::What;

/// What the daemon may need more while the broker is away, in KiB.
constexpr long kMemory = 16 * 1024;

struct Options {
  std::string sluice{std::string{SLUICE_BIN_DIR} + "/sluice"};
  std::string only;
  int longest{60};
  int rounds{1};
  int mqtt{5};
  std::uint64_t seed{std::random_device{}()};
};

std::unique_ptr<Network> make_network() {
  try {
    return std::make_unique<Network>();
  } catch (const std::exception& reason) {
    std::printf("NOT POSSIBLE HERE: a network that can be cut: %s\n", reason.what());
    return nullptr;
  }
}

std::vector<Fault> in_random_order(const Options& options, std::mt19937_64& random) {
  std::vector<Fault> faults;
  for (const Fault& fault : kFaults) {
    const bool named = std::string{fault.name}.find(options.only) != std::string::npos;
    if (named && fault.length <= std::chrono::seconds{options.longest}) faults.push_back(fault);
  }
  std::shuffle(faults.begin(), faults.end(), random);
  return faults;
}

int run(const Options& options) {
  const auto network = make_network();
  BrokerRig rig{options.sluice, options.mqtt, network.get()};
  std::mt19937_64 random{options.seed};
  int tried = 0;
  int wrong = 0;
  int impossible = 0;
  for (int round = 0; round < options.rounds; ++round) {
    for (const Fault& fault : in_random_order(options, random)) {
      if (fault.what == What::kCut && !network) {
        std::printf("%-40s NOT POSSIBLE HERE\n", fault.name);
        ++impossible;
        continue;
      }
      const std::string finding = rig.suffer(fault);
      std::printf("%-40s %s: %s\n", fault.name, finding.empty() ? "ok" : "WRONG",
                  finding.empty() ? fault.must : finding.c_str());
      std::fflush(stdout);
      ++tried;
      if (!finding.empty()) ++wrong;
    }
  }
  const auto v = rig.conclude();
  const auto n = [](std::uint64_t number) { return static_cast<unsigned long long>(number); };
  std::printf(
      "faults %d, wrong %d, not possible here %d, readings %llu, lost %llu, counted twice %llu, "
      "alerts missing %llu, alerts repeated %llu (recognisable %llu), memory %+ld KiB\n",
      tried, wrong, impossible, n(v.readings), n(v.lost), n(v.counted_twice), n(v.alerts_missing),
      n(v.alerts_repeated), n(v.recognisable), rig.memory_growth());
  const bool modest = sluice::test::kSanitized || rig.memory_growth() <= kMemory;
  return tried > 0 && wrong == 0 && v.kept() && modest ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  sluice::test::CommandLine line{"Lets the broker and the network fail and compares what is left"};
  line.number("--rounds", options.rounds, "How often each fault happens", 1, 100000);
  line.choice("--mqtt", options.mqtt, "Protocol: 5, or 3 for 3.1.1", {3, 5});
  line.number("--longest", options.longest, "Leave out faults that last longer, in seconds", 0,
              100000);
  line.text("--only", options.only, "Faults whose name has this in it");
  line.seed(options.seed, "Repeats the order of an earlier run");
  line.text("--sluice", options.sluice, "The program under test");
  if (const auto status = line.parse(argc, argv)) return *status;
  std::printf("broker-faults: seed %llu, MQTT %s\n", static_cast<unsigned long long>(options.seed),
              options.mqtt == 5 ? "5" : "3.1.1");
  try {
    return run(options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "broker-faults: %s\n", e.what());
    return 2;
  }
}
