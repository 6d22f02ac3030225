// A whole site of a test's own: the real `sluice` program, a configuration, a data folder, and a
// probe that sees all it publishes. The broker is the test's, since it may come and go.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/base/datum.hpp"
#include "tests/support/mosquitto.hpp"
#include "tests/support/mqtt_probe.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temp_dir.hpp"

namespace sluice::test {

/// The program under test.
std::filesystem::path sluice_program();

/// What every site here watches unless it says otherwise: one source "levels" of JSON with sensor
/// and level, a delta of 10, a mean, the three highest levels, and a threshold at 100.
inline constexpr const char* kLevelsSource =
    "[[source]]\nname = \"levels\"\ntopic = \"site/+/level\"\nformat = \"json\"\n"
    "sensor = \"/sensor\"\nlevel = \"/level\"\n";
inline constexpr const char* kUsualMonitors =
    "[[monitor]]\nname = \"jump\"\nkind = \"delta\"\n"
    "[[monitor]]\nname = \"mean\"\nkind = \"average\"\n"
    "[[monitor]]\nname = \"highest\"\nkind = \"top\"\n"
    "[[monitor]]\nname = \"flood\"\nkind = \"threshold\"\nabove = 100\n";

struct SiteSetup {
  std::string protocol{"5"};
  std::string source{kLevelsSource};
  std::string monitors{kUsualMonitors};
  std::string mqtt_lines{};    ///< more of the [mqtt] table
  std::string server{};        ///< another address for the broker than its own
  std::string other_tables{};  ///< "[checkpoint]\ninterval = \"100ms\"\n"
};

/// One JSON object that was published.
struct Told {
  std::string topic;
  Datum document;
  bool retain{};
};

class Site {
 public:
  Site(MosquittoBroker& broker, SiteSetup setup = {});

  const TempDir& folder() const { return folder_; }
  std::filesystem::path data() const { return folder_ / "data"; }
  std::filesystem::path config() const { return folder_ / "sluice.toml"; }
  /// For the next start.
  void set_monitors(std::string monitors) { setup_.monitors = std::move(monitors); }
  void set_other_tables(std::string tables) { setup_.other_tables = std::move(tables); }
  void set_source(std::string source) { setup_.source = std::move(source); }
  void write_config() const;

  /// Starts the daemon and waits for nothing.
  Process& launch(std::map<std::string, std::string> environment = {});
  /// The same by another program, such as a shell that sets a limit first. The last one of a chain
  /// of `exec`s must be ours.
  Process& launch_by(const std::vector<std::string>& command);
  /// Starts it and waits until it is ready and the broker has granted its subscriptions.
  void start(std::map<std::string, std::string> environment = {});
  Process& daemon() { return *daemon_; }
  void kill() { daemon_->kill(); }
  /// SIGTERM, and how it ended; fails the test if it does not.
  ExitStatus stop(int signal_number);
  /// Fails the test if the broker does not tell of them.
  void wait_for_subscriptions();

  /// Sees everything below the site's prefix. Connected at the first use, and again after
  /// reconnect_probe(), which forgets what came before.
  MqttProbe& probe();
  void reconnect_probe() { probe_.reset(); }

  /// A reading as kLevelsSource understands it.
  void send(const std::string& sensor, double level);
  void send_raw(const std::string& payload) { probe().publish("site/x/level", payload); }
  /// On <prefix>/config/…
  void set(const std::string& target, const std::string& payload, bool retain = true);

  static std::string topic(const std::string& rest) { return "sluice/test/" + rest; }

  /// All that came on topics that begin with this (below the prefix), in their order.
  std::vector<Told> told(const std::string& start);
  /// The first that came there and fits; fails the test and gives an empty one if none does.
  /// `fits` sees each once, in their order.
  Told wait_for(const std::string& start, const std::function<bool(const Datum&)>& fits);
  Told wait_for(const std::string& start);
  /// Asks for the status until one fits. Fails the test with the last one if none does.
  Datum wait_for_status(const std::function<bool(const Datum&)>& fits);

 private:
  MosquittoBroker& broker_;
  SiteSetup setup_;
  TempDir folder_;
  std::unique_ptr<Process> daemon_;
  std::unique_ptr<MqttProbe> probe_;
};

/// Members of nested structs by name: at(status, "rejected", "levels", "malformed"); null if it is
/// not there.
template <class... Names>
Datum at(const Datum& document, const Names&... names) {
  const Datum* here = &document;
  ((here = here == nullptr ? nullptr : here->member(names)), ...);
  return here == nullptr ? Datum{} : *here;
}
/// The number there, or −1.
template <class... Names>
double number_at(const Datum& document, const Names&... names) {
  double number = -1;
  return at(document, names...).as_number(number) ? number : -1;
}
/// The text there, or empty.
template <class... Names>
std::string text_at(const Datum& document, const Names&... names) {
  const Datum found = at(document, names...);
  const auto* text = found.template get_if<std::string>();
  return text == nullptr ? std::string{} : *text;
}

}  // namespace sluice::test
