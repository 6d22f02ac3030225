// Site: a private broker, the daemon with a data folder of its own, and an ear and a voice on the
// broker. All of it is gone with the object. One thread; throws std::runtime_error.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "tests/demo/record.hpp"
#include "tests/support/mosquitto.hpp"
#include "tests/support/mqtt_probe.hpp"

namespace sluice::demo {

/// Somebody pressed Ctrl-C.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error{"interrupted"} {}
};

/// Makes SIGINT, SIGTERM and SIGHUP set a flag, and stop_if_interrupted() throw.
void catch_signals();
bool was_interrupted();
void stop_if_interrupted();

class Site {
 public:
  using Listener = std::function<void(const test::ProbeMessage&)>;

  Site(std::filesystem::path sluice, const Record& record, Listener listener);

  /// Returns when it has said "online" and the broker knows that it wants the readings.
  void start_daemon();
  void kill_daemon();
  /// SIGTERM; true if it ended by itself with status 0.
  bool stop_daemon();
  bool daemon_runs() { return daemon_ && daemon_->is_running(); }
  std::string daemon_log() const { return daemon_ ? daemon_->errors() : ""; }

  /// In order; few are on their way at a time.
  void send(const std::string& topic, const std::string& payload);
  /// Retained, behind all that was sent; acknowledged by the broker when it returns.
  void set(const std::string& topic, const std::string& payload);

  /// Hands what has come since the last call to the listener.
  void listen();
  /// Listens until `reached`; false after a time that is only ever too short if it never comes.
  bool listen_until(const std::function<bool()>& reached);

  std::uint16_t port() const { return broker_.port(); }
  std::filesystem::path data_dir() const { return folder_ / "data"; }
  std::filesystem::path config_file() const { return folder_ / "sluice.toml"; }

 private:
  std::string configuration(const Record& record) const;

  std::filesystem::path sluice_;
  std::string topic_;
  Listener listener_;
  test::TempDir folder_;
  test::MosquittoBroker broker_;
  test::MqttProbe probe_;
  std::size_t heard_{0};
  bool online_{false};
  std::unique_ptr<test::Process> daemon_;
};

}  // namespace sluice::demo
