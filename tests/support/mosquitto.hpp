// A real mosquitto of a test's own, on a free loopback port, with its files in a temporary folder.
// One thread. Throws std::runtime_error where the broker cannot be run at all.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "tests/support/process.hpp"

namespace sluice::test {

struct BrokerSetup {
  /// Sessions and retained messages live through stop() and start(); after kill() only what was
  /// saved, which here is each change within about a second.
  bool persistence{false};
  int save_every{1};                         ///< with persistence: so many changes
  std::map<std::string, std::string> users;  ///< name → password; empty: everybody may come in
  std::string listener_lines;   ///< appended behind the listener: "cafile …\ncertfile …\n"
  std::string global_lines;     ///< before it: "max_queued_messages 0\n"
  std::string log_type{"all"};  ///< of what it logs; "error" for a run of hours
  bool start{true};             ///< false: only the port is chosen
};

class MosquittoBroker {
 public:
  explicit MosquittoBroker(BrokerSetup setup = {});
  ~MosquittoBroker();
  MosquittoBroker(const MosquittoBroker&) = delete;
  MosquittoBroker& operator=(const MosquittoBroker&) = delete;

  std::uint16_t port() const { return port_; }
  /// "mqtt://127.0.0.1:<port>".
  std::string uri() const { return "mqtt://127.0.0.1:" + std::to_string(port_); }

  /// Returns when it accepts connections. Always on the same port.
  void start();
  /// Orderly: it saves its sessions first.
  void stop();
  /// SIGKILL.
  void kill();
  /// SIGKILL, and all that it had saved is gone.
  void forget();
  void restart();
  /// Stops it in its tracks: connections stay, nothing is answered. Undone by thaw().
  void freeze();
  void thaw();

  /// Who may come in from the next start on.
  void set_users(std::map<std::string, std::string> users) { setup_.users = std::move(users); }

  /// What it has logged since the last start.
  std::string log() const;

 private:
  void write_configuration();
  std::string write_passwords();

  BrokerSetup setup_;
  TempDir folder_;
  std::uint16_t port_;
  std::unique_ptr<Process> process_;
};

/// One of the plugins that come with mosquitto, by file name.
std::filesystem::path mosquitto_plugin(const std::string& name);

/// A port that nobody listened on a moment ago.
std::uint16_t free_port();

}  // namespace sluice::test
