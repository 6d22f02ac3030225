#include "daemon/config/listen_address.hpp"

#include <arpa/inet.h>

#include <charconv>

#include "pipeline/base/log.hpp"

namespace sluice::daemon {

namespace {

Error refused(const std::string& text, const std::string& why) {
  return {ErrorCode::kInvalid,
          "'listen' must be an address and a port, as in \"127.0.0.1:9479\" "
          "or \"[::1]:9479\", not \"" +
              printable(text) + "\": " + why};
}

}  // namespace

Result<ListenAddress> parse_listen_address(const std::string& text) {
  ListenAddress out;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return refused(text, "there is no ':' in front of a port");
  out.host = text.substr(0, colon);
  const char* const end = text.data() + text.size();
  const auto port = std::from_chars(text.data() + colon + 1, end, out.port);
  if (port.ec != std::errc{} || port.ptr != end || out.port == 0) {
    return refused(text, "the port must be a number from 1 to 65535");
  }
  in6_addr scratch{};
  out.is_v6 = out.host.size() > 2 && out.host.front() == '[' && out.host.back() == ']';
  if (out.is_v6) out.host = out.host.substr(1, out.host.size() - 2);
  if (inet_pton(out.is_v6 ? AF_INET6 : AF_INET, out.host.c_str(), &scratch) == 1) return out;
  if (out.host.empty()) {
    return refused(text, "the address is missing; 0.0.0.0 stands for all of this machine");
  }
  if (inet_pton(AF_INET6, out.host.c_str(), &scratch) == 1) {
    return refused(text, "an IPv6 address stands in brackets");
  }
  return refused(text, "'" + printable(out.host) + "' is no IP address");
}

}  // namespace sluice::daemon
