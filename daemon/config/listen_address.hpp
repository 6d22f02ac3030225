// Where to listen: an address of this machine and a port, as in the file.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/base/result.hpp"

namespace sluice::daemon {

/// An address and a port to listen on.
struct ListenAddress {
  std::string host;  ///< an IPv4 or IPv6 address, without brackets
  bool is_v6{};
  std::uint16_t port{};
};

/// "127.0.0.1:9479", "[::1]:9479". Names are refused: what they mean may change.
Result<ListenAddress> parse_listen_address(const std::string& text);

}  // namespace sluice::daemon
