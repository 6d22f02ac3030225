// MQTT in and out: what the daemon sees of this plugin. No header of the MQTT library in here.
//
// Receiving and sending are two clients with two connections, because they need opposite things:
// the source a session that the broker keeps while we are away, the sink one that it forgets.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/base/log.hpp"
#include "pipeline/base/result.hpp"
#include "pipeline/base/time.hpp"
#include "pipeline/plugin/connector.hpp"
#include "pipeline/plugin/options.hpp"

namespace sluice::mqtt {

struct TlsOptions {
  std::string ca_file;    ///< PEM; empty: the system's certificates
  std::string cert_file;  ///< our own certificate, PEM, with its chain
  std::string key_file;   ///< the key of cert_file, PEM
  bool verify{true};      ///< check the broker's certificate and that it is for this host
};

struct MqttOptions {
  /// "mqtt://host[:port]", "mqtts://…", "tcp://…" or "ssl://…"; tried in turn.
  std::vector<std::string> servers{"mqtt://localhost:1883"};
  /// The clients are `<client_id>-in` and `<client_id>-out`; the broker keeps our session by it.
  std::string client_id{"sluice"};
  int version{5};                ///< 5, or 3 for 3.1.1
  std::string credentials_file;  ///< user name and password; empty: none. Read at each connect.
  TlsOptions tls;
  Duration keep_alive{std::chrono::seconds{30}};
  Duration session_expiry{std::chrono::hours{24 * 7}};  ///< MQTT 5; 3.1.1 leaves it to the broker
  Duration connect_timeout{std::chrono::seconds{10}};
  Duration reconnect_min{std::chrono::seconds{1}};
  Duration reconnect_max{std::chrono::seconds{60}};
  int in_flight{20};  ///< publications sent and not yet acknowledged, at most
  Duration publish_timeout{std::chrono::seconds{20}};  ///< after it, one is sent again
  std::string status_topic;  ///< "online", "offline" and last will, retained; empty: none
};

/// The option table of the `[mqtt]` section.
std::span<const OptionSpec> mqtt_options();

/// Checked values of that table as a struct. Fails where options contradict each other or a server
/// address, client id or topic is malformed.
Result<MqttOptions> from(const Options& options);

/// Receives at least once from a session that outlives this process. Filters are checked by
/// start(). A message that several filters match is handed over once, as that of the first of
/// them (with 3.1.1 if the broker sends it once, as mosquitto does; with 5 for up to 63 filters).
/// `observer` and `log` outlive the source; the observer is told of "source", as connected once the
/// broker has answered all subscriptions. Started once.
/// A connection over which the broker does not answer the subscriptions within connect_timeout is
/// given up for a new one. What it refuses is asked for again every reconnect_max.
/// `former_filters`: what an earlier configuration subscribed to, and the broker may still know by
/// the session; those that are not subscribed to any more are taken back, and those of them that
/// the broker has not answered yet are MessageSource::former_filters().
std::unique_ptr<MessageSource> make_source(MqttOptions options,
                                           std::vector<Subscription> subscriptions,
                                           ConnectionObserver& observer, Log& log,
                                           std::vector<std::string> former_filters = {});

/// Sends with a bounded window of unacknowledged publications. `observer` and `log` outlive the
/// sink; the observer is told of "sink". Started once. A publication on a malformed topic is
/// reported as a fault and counts as delivered: no broker would ever take it.
/// "online" is published on each connection once `is_receiving` says true (any thread; empty: at
/// once), so whoever sees it can send. The rest does not wait for it.
std::unique_ptr<PublicationSink> make_sink(MqttOptions options, ConnectionObserver& observer,
                                           Log& log, std::function<bool()> is_receiving = {});

}  // namespace sluice::mqtt
