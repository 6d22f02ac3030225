// Addresses of brokers as users write them, and as Paho wants them. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/base/result.hpp"

namespace sluice::mqtt {

struct ServerUri {
  std::string paho;  ///< "tcp://host:port" or "ssl://host:port"
  bool tls{};
};

/// Accepts mqtt://, tcp://, mqtts:// and ssl:// with a host (IPv6 in brackets) and maybe a port
/// (1883, or 8883 with TLS, if not given). The error says what an address looks like.
Result<ServerUri> parse_server_uri(std::string_view text);

struct HostPort {
  std::string host;  ///< without brackets
  std::string port;
};

/// Of an address in Paho's form.
HostPort split_uri(const std::string& paho);

}  // namespace sluice::mqtt
