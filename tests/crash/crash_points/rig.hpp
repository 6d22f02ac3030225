// The rig: one broker and one site, whose daemon dies at each point in turn and goes on behind it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tests/crash/crash_points/table.hpp"
#include "tests/crash/kill_loop/ledger.hpp"
#include "tests/support/mosquitto.hpp"
#include "tests/support/mqtt_probe.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temp_dir.hpp"

namespace sluice::crash {

class PointsRig {
 public:
  explicit PointsRig(std::string sluice);

  /// Lets the daemon die there, starts it again, and compares. Empty, or what is wrong with it.
  /// Throws std::runtime_error if a part of the rig fails.
  std::string try_point(const CrashPoint& point);

  std::uint64_t readings() const { return published_; }

 private:
  using Daemon = std::unique_ptr<test::Process>;

  Daemon start(const std::string& crash_at = "") const;
  void stop(test::Process& daemon) const;
  void make_session();
  void publish(int count);
  void start_over();
  void publish_bulk();
  /// Ends a daemon with kill -9, so that its journal goes on behind the checkpoint.
  void leave_a_journal();
  void damage_database();
  void damage_journal();
  void prepare(Way way);
  /// Until it has ended; how it did.
  test::ExitStatus lead_to(const CrashPoint& point, test::Process& daemon);
  void wait_until_through(test::Process& daemon);
  Verdict verdict();

  std::string sluice_;
  test::MosquittoBroker broker_;
  test::MqttProbe publisher_;
  std::unique_ptr<test::MqttProbe> listener_;
  std::unique_ptr<test::TempDir> folder_;
  std::string configuration_;
  std::uint64_t published_{};
  int markers_{};
  Verdict before_;  ///< of all points up to now
};

}  // namespace sluice::crash
