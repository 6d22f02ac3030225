// Return codes of Paho and reason codes of MQTT as sentences with a cure. Pure functions, except
// that explain() and tls_fault() try the network.
#pragma once

#include <string>

#include "plugins/mqtt/mqtt.hpp"
#include "plugins/mqtt/reach.hpp"

namespace sluice::mqtt {

/// Why there is no connection to `uri` (in Paho's form). `code` is what Paho's token returns: above
/// 0 from the broker's CONNACK, below 0 Paho's own. May try to reach the broker to find out, which
/// takes some seconds at most.
std::string explain(int code, const std::string& uri, const MqttOptions& options,
                    Resolver& resolver, const Cancelled& cancelled);

/// The words for a reason code of MQTT 5, or of a SUBACK of 3.1.1: "not authorised (0x87)".
std::string reason_words(int reason_code);

/// "10 s", or "1500 ms" where that is not whole seconds.
std::string in_words(Duration length);

/// Why the broker ended the connection, from the DISCONNECT packet of MQTT 5.
std::string explain_disconnect(int reason_code, const std::string& client_id);

/// Does the TLS handshake by hand over a new connection: what is wrong with the broker's
/// certificate and the cure, or empty if it is something else.
std::string tls_fault(const Socket& socket, const std::string& uri, const TlsOptions& tls,
                      const Cancelled& cancelled);

}  // namespace sluice::mqtt
