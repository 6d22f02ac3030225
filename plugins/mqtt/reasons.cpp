#include "plugins/mqtt/reasons.hpp"

#include <array>
#include <charconv>
#include <string_view>

namespace sluice::mqtt {
namespace {

struct Words {
  int code;
  std::string_view text;
};

constexpr std::array kReasons{Words{0x80, "refused without a reason"},
                              Words{0x81, "malformed packet"},
                              Words{0x82, "protocol error"},
                              Words{0x83, "refused by the broker's own rules"},
                              Words{0x84, "protocol version not supported"},
                              Words{0x85, "client id not accepted"},
                              Words{0x86, "wrong user name or password"},
                              Words{0x87, "not authorised"},
                              Words{0x88, "broker unavailable"},
                              Words{0x89, "broker busy"},
                              Words{0x8A, "banned"},
                              Words{0x8B, "broker shutting down"},
                              Words{0x8D, "keep-alive time-out"},
                              Words{0x8E, "session taken over"},
                              Words{0x8F, "topic filter not accepted"},
                              Words{0x90, "topic name not accepted"},
                              Words{0x93, "too many messages at once"},
                              Words{0x95, "packet too large"},
                              Words{0x97, "quota exceeded"},
                              Words{0x98, "administrative action"},
                              Words{0x99, "payload format not accepted"},
                              Words{0x9A, "retain not supported"},
                              Words{0x9B, "QoS not supported"},
                              Words{0x9C, "use another broker"},
                              Words{0x9D, "broker moved"},
                              Words{0x9E, "shared subscriptions not supported"},
                              Words{0x9F, "too many connections"},
                              Words{0xA1, "subscription identifiers not supported"},
                              Words{0xA2, "wildcards not supported"}};

// CONNACK codes of 3.1.1, as the reason codes of MQTT 5 that mean the same.
int as_reason_code(int code) {
  constexpr std::array kOld{0, 0x84, 0x85, 0x88, 0x86, 0x87};
  return code >= 1 && code < int{kOld.size()} ? kOld[static_cast<std::size_t>(code)] : code;
}

std::string hexadecimal(int code) {
  std::array<char, 8> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), code, 16).ptr;
  std::string text{digits.data(), end};
  for (char& digit : text)
    if (digit >= 'a') digit = static_cast<char>(digit - 'a' + 'A');
  return "0x" + text;
}

std::string credentials_cure(const MqttOptions& options) {
  if (options.credentials_file.empty())
    return "the broker wants a user name and password: put them into a file and name it in "
           "'credentials_file'";
  return "check user name and password in " + options.credentials_file;
}

std::string refused(int reason, const std::string& uri, const MqttOptions& options) {
  const std::string where = " by " + uri;
  switch (reason) {
    case 0x84:
      return "protocol version refused" + where + ": set 'protocol' to \"" +
             (options.version == 5 ? "3.1.1" : "5") + "\"";
    case 0x85:
      return "client id refused" + where + ": choose another 'client_id' than \"" +
             options.client_id + "\"";
    case 0x86:
    case 0x87: return "not authorised" + where + ": " + credentials_cure(options);
    default: return "connection refused" + where + ": " + reason_words(reason);
  }
}

std::string tls_cure(const MqttOptions& options) {
  std::string cure =
      ": does the broker speak TLS on this port, is its certificate in date, made "
      "for this host name and signed by ";
  cure += options.tls.ca_file.empty() ? "an authority the system knows ('tls_ca' can name others)"
                                      : "one in " + options.tls.ca_file;
  if (options.tls.cert_file.empty()) return cure + ", and does it ask for a 'tls_cert'?";
  return cure + ", and does it accept " + options.tls.cert_file + "?";
}

}  // namespace

std::string reason_words(int reason_code) {
  const std::string number = " (" + hexadecimal(reason_code) + ")";
  for (const Words& reason : kReasons)
    if (reason.code == reason_code) return std::string{reason.text} + number;
  return "reason code " + hexadecimal(reason_code);
}

std::string in_words(Duration length) {
  const auto ms = length.count();
  return ms % 1'000 == 0 ? std::to_string(ms / 1'000) + " s" : std::to_string(ms) + " ms";
}

std::string explain(int code, const std::string& uri, const MqttOptions& options,
                    Resolver& resolver, const Cancelled& cancelled) {
  if (code > 0) return refused(as_reason_code(code), uri, options);
  const auto socket = reach(uri, resolver, cancelled);
  if (!socket) return socket.error().message();
  if (uri.starts_with("ssl://")) {
    const std::string fault = tls_fault(*socket, uri, options.tls, cancelled);
    return fault.empty() ? "TLS with " + uri + " failed" + tls_cure(options) : fault;
  }
  return "no MQTT broker answers at " + uri +
         ": is it one, is it overloaded, or does it want TLS (mqtts://)?";
}

std::string explain_disconnect(int reason_code, const std::string& client_id) {
  if (reason_code == 0x8E)
    return "another client has connected as \"" + client_id +
           "\": give each daemon its own 'client_id'";
  return "the broker ended the connection: " + reason_words(reason_code);
}

}  // namespace sluice::mqtt
