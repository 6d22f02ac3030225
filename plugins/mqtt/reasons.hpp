// Return codes of Paho and reason codes of MQTT as sentences with a cure. Pure functions, except
// that explain() and the two faults try the network.
#pragma once

#include <string>

#include "plugins/mqtt/mqtt.hpp"

namespace sluice::mqtt {

/// Why there is no connection to `uri` (in Paho's form). `code` is what Paho's token returns: above
/// 0 from the broker's CONNACK, below 0 Paho's own. May try to reach the broker to find out, so it
/// can take a second, or as long as a name look-up takes.
std::string explain(int code, const std::string& uri, const MqttOptions& options);

/// The words for a reason code of MQTT 5, or of a SUBACK of 3.1.1: "not authorised (0x87)".
std::string reason_words(int reason_code);

/// Why the broker ended the connection, from the DISCONNECT packet of MQTT 5.
std::string explain_disconnect(int reason_code, const std::string& client_id);

/// Looks up and connects to "tcp://host:port" by hand: what the system has against it, or empty.
std::string network_fault(const std::string& uri);

/// Does the TLS handshake by hand: what is wrong with the broker's certificate and the cure, or
/// empty if it is something else. Can take some seconds.
std::string tls_fault(const std::string& uri, const TlsOptions& tls);

}  // namespace sluice::mqtt
