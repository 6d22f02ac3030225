// kill-loop: kills the daemon with SIGKILL at random moments while numbered readings flow, then
// compares its state and its alerts with what they must be.
//
//   kill-loop --rounds 200 [--qos 0|1|2] [--mqtt 3|5] [--pace US] [--seed S]
//
// Exit status 0: the promise was kept (QoS 0 promises nothing, QoS 2 is refused by the
// configuration); 1: it was not; 2: the rig failed.
#include <cstdio>

#include "tests/crash/kill_loop/rig.hpp"
#include "tests/support/command_line.hpp"

int main(int argc, char** argv) {
  sluice::crash::RigOptions options;
  options.sluice = std::string{SLUICE_BIN_DIR} + "/sluice";
  options.seed = std::random_device{}();
  sluice::test::CommandLine line{"Kills the daemon at random moments and compares what is left"};
  line.number("--rounds", options.rounds, "How often it is killed", 1, 100000);
  line.number("--qos", options.qos, "Of the readings", 0, 2);
  line.choice("--mqtt", options.mqtt, "Protocol: 5, or 3 for 3.1.1", {3, 5});
  line.number("--pace", options.pace, "Microseconds from one reading to the next", 0, 1'000'000);
  line.seed(options.seed, "Repeats the moments of an earlier run");
  line.text("--sluice", options.sluice, "The program under test");
  if (const auto status = line.parse(argc, argv)) return *status;
  std::printf("kill-loop: seed %llu, QoS %d, MQTT %s\n",
              static_cast<unsigned long long>(options.seed), options.qos,
              options.mqtt == 5 ? "5" : "3.1.1");
  try {
    sluice::crash::Rig rig{options};
    if (const auto refusal = rig.refusal(); !refusal.empty()) {
      std::printf("refused by the configuration:\n%s", refusal.c_str());
      return options.qos == 2 ? 0 : 2;
    }
    const auto v = rig.run();
    const auto n = [](std::uint64_t number) { return static_cast<unsigned long long>(number); };
    std::printf(
        "rounds %d, readings %llu, lost %llu, counted twice %llu, alerts missing %llu, alerts "
        "repeated %llu (recognisable %llu)\n",
        options.rounds, n(v.readings), n(v.lost), n(v.counted_twice), n(v.alerts_missing),
        n(v.alerts_repeated), n(v.recognisable));
    return v.kept() || options.qos == 0 ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "kill-loop: %s\n", e.what());
    return 2;
  }
}
