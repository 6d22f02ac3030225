// The rig: a broker that nothing happens to, a cable to it, a daemon on a disk of its own, and a
// mains switch.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/crash/power_cut/ledger.hpp"
#include "tests/support/ear.hpp"
#include "tests/support/loop_disk.hpp"
#include "tests/support/mosquitto.hpp"
#include "tests/support/mqtt_probe.hpp"
#include "tests/support/process.hpp"
#include "tests/support/relay.hpp"
#include "tests/support/temp_dir.hpp"

namespace sluice::crash {

struct PowerOptions {
  std::string sluice;  ///< path of the program under test
  int rounds{20};
  std::string sync{"each"};  ///< or "alert" or "never"
  std::uint64_t seed{1};
};

struct PowerReport {
  PowerVerdict verdict;
  int databases_sound{0};  ///< after how many of the cuts
  std::vector<std::string> databases_damaged;
  bool kept{false};
};

class PowerRig {
 public:
  /// Throws test::LoopDisk::Unavailable where this machine has no such disk.
  explicit PowerRig(PowerOptions options);

  /// All rounds, then a last run in peace, then the comparison. Throws std::runtime_error if a
  /// part of the rig fails or the daemon does not start.
  PowerReport run();

 private:
  /// Where in its life the power goes.
  enum class Moment { kStarting, kRunning, kCheckpointing, kStopping, kMoments };

  void start_daemon();
  void make_session();
  void one_round();
  void wait_for_moment();
  void cut_power();
  void look_at_database();
  void publish(bool loud);
  void publish_until_told();
  void finish_in_peace();
  bool wait_for_alert_of_last(std::chrono::milliseconds limit);
  void listen(const test::ProbeMessage& message);
  std::chrono::milliseconds below(int milliseconds);
  std::string data() const { return (disk_.folder() / "data").string(); }

  PowerOptions options_;
  std::mt19937_64 random_;
  PowerLedger ledger_;
  PowerReport report_;
  test::LoopDisk disk_;  // before anything has threads: they must see it
  test::TempDir folder_;
  test::MosquittoBroker broker_;
  test::Relay cable_;
  test::MqttProbe publisher_;
  test::MqttProbe commander_;
  std::string configuration_;
  std::unique_ptr<test::Process> daemon_;
  std::uint64_t next_{0};  ///< number of the next reading
  std::atomic<bool> stop_publishing_{false};
  test::Ear ear_;  // last: it calls into the rest
};

}  // namespace sluice::crash
