#include "plugins/mqtt/server_uri.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "pipeline/base/log.hpp"

namespace sluice::mqtt {
namespace {

struct Scheme {
  std::string_view name;
  std::string_view paho;
  std::string_view port;
  bool tls;
};

constexpr std::array kSchemes{
    Scheme{"mqtt://", "tcp://", "1883", false}, Scheme{"tcp://", "tcp://", "1883", false},
    Scheme{"mqtts://", "ssl://", "8883", true}, Scheme{"ssl://", "ssl://", "8883", true}};

Error invalid(std::string_view text, std::string_view why) {
  return Error{ErrorCode::kInvalid, "server address \"" + printable(text) + "\" " +
                                        std::string{why} +
                                        ": write \"mqtt://host:1883\" or \"mqtts://host:8883\""};
}

bool is_port(std::string_view text) {
  std::uint32_t port{};
  const char* end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, port);
  return fault == std::errc{} && rest == end && port >= 1 && port <= 65'535;
}

// Where the host ends: after "]" for IPv6 in brackets, else at the first colon.
std::size_t host_length(std::string_view rest) {
  if (!rest.starts_with('[')) return std::min(rest.find(':'), rest.size());
  const std::size_t bracket = rest.find(']');
  return bracket == std::string_view::npos ? 0 : bracket + 1;
}

}  // namespace

Result<ServerUri> parse_server_uri(std::string_view text) {
  for (const Scheme& scheme : kSchemes) {
    if (!text.starts_with(scheme.name)) continue;
    std::string_view rest = text.substr(scheme.name.size());
    if (rest.find('@') != std::string_view::npos)
      return Error{ErrorCode::kInvalid,
                   "server address holds a user name: put user name and password into the file "
                   "that 'credentials_file' names, other users can read this one"};
    if (rest.ends_with('/')) rest.remove_suffix(1);
    if (rest.find_first_of("/?# \t") != std::string_view::npos)
      return invalid(text, "has more than a host and a port");
    const std::size_t length = host_length(rest);
    const std::string_view host = rest.substr(0, length);
    const std::string_view tail = rest.substr(length);
    if (host.empty() || host == "[]") return invalid(text, "has no host");
    if (!tail.empty() && (tail.front() != ':' || !is_port(tail.substr(1))))
      return invalid(text, "has a port that is not a number from 1 to 65535");
    const std::string_view port = tail.empty() ? scheme.port : tail.substr(1);
    return ServerUri{std::string{scheme.paho} + std::string{host} + ":" + std::string{port},
                     scheme.tls};
  }
  if (text.starts_with("ws://") || text.starts_with("wss://"))
    return invalid(text,
                   "is one for WebSockets, which Sluice does not speak: name the broker's other "
                   "port");
  return invalid(text, "does not begin with mqtt://, mqtts://, tcp:// or ssl://");
}

HostPort split_uri(const std::string& paho) {
  const std::size_t begin = paho.find("://") + 3;
  const std::size_t colon = paho.rfind(':');
  std::string host = paho.substr(begin, colon - begin);
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return {host, paho.substr(colon + 1)};
}

}  // namespace sluice::mqtt
