// Our options as Paho's, for each of the two clients.
#pragma once

#include <optional>
#include <string>

#include "pipeline/base/result.hpp"
#include "plugins/mqtt/credentials.hpp"
#include "plugins/mqtt/mqtt.hpp"
#include "plugins/mqtt/paho.hpp"

namespace sluice::mqtt {

/// Which of the two clients: they differ in session, client id and last will.
enum class Role { kSource, kSink };

/// "source" or "sink", as ConnectionObserver is told.
std::string_view to_string(Role role);

/// `<client_id>-in` or `<client_id>-out`.
std::string client_id(const MqttOptions& options, Role role);

paho::create_options make_create_options(const MqttOptions& options);

/// Sets what `out`, new, needs; `uri` is in Paho's form. Fails if a TLS file cannot be read.
///
/// Not returned as a value: a copy of Paho 1.2's options, as connect() makes one, still points to
/// the properties of the original, so that must stay where it is until the attempt is over. A moved
/// one has lost them, and with them the session's expiry.
Status fill_connect_options(paho::connect_options& out, const MqttOptions& options, Role role,
                            const std::string& uri, const std::optional<Credentials>& credentials);

}  // namespace sluice::mqtt
