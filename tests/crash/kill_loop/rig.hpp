// The rig: a broker, a publisher of numbered readings that never pauses, a daemon that is killed
// again and again, and a listener for its alerts.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include "tests/crash/kill_loop/ledger.hpp"
#include "tests/support/mosquitto.hpp"
#include "tests/support/mqtt_probe.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temp_dir.hpp"

namespace sluice::crash {

struct RigOptions {
  std::string sluice;  ///< path of the program under test
  int rounds{20};
  int qos{1};
  int mqtt{5};  ///< or 3
  /// Between two readings, in microseconds: at 300 a daemon that lives keeps up easily, at 0 the
  /// backlog grows as long as the rig runs.
  int pace{300};
  std::uint64_t seed{1};
};

class Rig {
 public:
  explicit Rig(RigOptions options);

  /// What `sluice check` says of the rig's configuration; empty if it is accepted.
  std::string refusal() const;

  /// All rounds, then a last run in peace, then the comparison. Throws std::runtime_error if a
  /// part of the rig (not the daemon's promise) fails.
  Verdict run();

 private:
  /// Where in its life the daemon is killed.
  enum class Moment { kStarting, kRunning, kCheckpointing, kStopping, kMoments };

  std::string write_configuration() const;
  std::unique_ptr<test::Process> start_daemon() const;
  void make_session();
  void one_round();
  void publish_until_told();
  void finish_in_peace();
  void wait_for_last_alerts() const;
  std::chrono::milliseconds below(int milliseconds);

  RigOptions options_;
  std::mt19937_64 random_;
  test::TempDir folder_;
  test::MosquittoBroker broker_;
  test::MqttProbe listener_;
  test::MqttProbe commander_;
  std::string configuration_;
  std::atomic<bool> stop_publishing_{false};
  std::atomic<std::uint64_t> published_{0};
};

}  // namespace sluice::crash
