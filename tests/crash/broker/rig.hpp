// The rig: a site whose broker, or the network to it, fails in each way in turn, while numbered
// readings come in.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>

#include "tests/crash/broker/faults.hpp"
#include "tests/crash/broker/network.hpp"
#include "tests/crash/kill_loop/ledger.hpp"
#include "tests/support/courier.hpp"
#include "tests/support/ear.hpp"
#include "tests/support/mosquitto.hpp"
#include "tests/support/temp_dir.hpp"

namespace sluice::crash {

class BrokerRig {
 public:
  /// `network`, if not nullptr, lies between broker and daemon and outlives the rig.
  BrokerRig(std::string sluice, int mqtt, Network* network);
  ~BrokerRig();

  /// Lets it happen, and waits until all is well again. Empty, or what was wrong.
  /// Throws std::runtime_error if a part of the rig fails.
  std::string suffer(const Fault& fault);

  /// Stops the daemon and compares.
  Verdict conclude();
  /// By how much the daemon's memory has grown since the start, in KiB.
  long memory_growth() const { return most_memory_ - first_memory_; }

 private:
  void start_daemon();
  void listen_anew();
  void listen(const test::ProbeMessage& message);
  test::MqttProbe::Messages alerts() const;
  std::size_t fault_alerts(const std::string& state) const;

  void publish(int count);
  bool wait_until_through();
  void wait_for_alerts();
  std::optional<nlohmann::json> ask_for_status(
      const std::function<bool(const nlohmann::json&)>& fits);
  bool wait_until_healthy();
  std::string look_at_retained();
  std::size_t connections();
  long memory() const;

  void begin(const Fault& fault);
  void end(const Fault& fault);
  std::string check(const Fault& fault, std::size_t connections_before, std::size_t told_before);

  std::string sluice_;
  Network* network_;
  std::string far_port_;  ///< the broker's, at the cable
  test::TempDir folder_;
  test::MosquittoBroker broker_;
  test::Courier courier_;
  std::string configuration_;
  std::unique_ptr<test::Process> daemon_;
  mutable std::mutex mutex_;
  test::MqttProbe::Messages alerts_;
  test::MqttProbe::Messages fault_alerts_;
  std::unique_ptr<test::Ear> ear_;
  std::uint64_t published_{};
  std::set<std::uint64_t> unsure_;  ///< the rig itself may have sent these twice
  int markers_{};
  long first_memory_{};
  long most_memory_{};
};

}  // namespace sluice::crash
