// The `[mqtt]` table, and what it cannot say: which options need or exclude each other.
#include <array>

#include "pipeline/base/log.hpp"
#include "plugins/mqtt/mqtt.hpp"
#include "plugins/mqtt/server_uri.hpp"
#include "plugins/mqtt/topic_filter.hpp"

namespace sluice::mqtt {
namespace {

constexpr double kSecond = 1'000;
constexpr double kHour = 3'600 * kSecond;

constexpr std::array kOptions{
    OptionSpec{.name = "servers",
               .type = OptionType::kTextList,
               .help =
                   "addresses of the broker, tried in turn: mqtt://host:1883, or mqtts://host:8883 "
                   "with TLS",
               .fallback = "mqtt://localhost:1883"},
    OptionSpec{.name = "client_id",
               .type = OptionType::kText,
               .help =
                   "name towards the broker, sluice-<site.id> unless set; \"-in\" and \"-out\" are "
                   "appended, and it must be unique at the broker and stay the same, since missed "
                   "messages are kept for it"},
    OptionSpec{.name = "protocol",
               .type = OptionType::kText,
               .help = "version of MQTT",
               .fallback = "5",
               .choices = "5|3.1.1"},
    OptionSpec{.name = "credentials_file",
               .type = OptionType::kText,
               .help = "file with the user name on its first and the password on its second line, "
                       "read again at each connect"},
    OptionSpec{.name = "tls_ca",
               .type = OptionType::kText,
               .help = "PEM file with the certificates to trust; the system's if not given"},
    OptionSpec{.name = "tls_cert",
               .type = OptionType::kText,
               .help = "PEM file with our own certificate, if the broker asks for one"},
    OptionSpec{
        .name = "tls_key", .type = OptionType::kText, .help = "PEM file with the key of tls_cert"},
    OptionSpec{.name = "tls_verify",
               .type = OptionType::kBoolean,
               .help = "check the broker's certificate and host name; turn off for tests only",
               .fallback = "true"},
    OptionSpec{.name = "keep_alive",
               .type = OptionType::kDuration,
               .help = "a broker that is silent for twice this time counts as away",
               .fallback = "30s",
               .minimum = 5 * kSecond,
               .maximum = 65'535 * kSecond},
    OptionSpec{.name = "session_expiry",
               .type = OptionType::kDuration,
               .help = "how long the broker keeps messages for us while we are away (MQTT 5; with "
                       "3.1.1 the broker's own setting decides)",
               .fallback = "7d",
               .minimum = 60 * kSecond,
               .maximum = 24 * 365 * kHour},
    OptionSpec{.name = "connect_timeout",
               .type = OptionType::kDuration,
               .help = "how long one attempt to connect may take, and then the broker to answer a "
                       "subscription",
               .fallback = "10s",
               .minimum = kSecond,
               .maximum = kHour},
    OptionSpec{
        .name = "reconnect_min",
        .type = OptionType::kDuration,
        .help = "pause before the second attempt to connect; it doubles with each further one",
        .fallback = "1s",
        .minimum = 100,
        .maximum = kHour},
    OptionSpec{.name = "reconnect_max",
               .type = OptionType::kDuration,
               .help = "longest pause between attempts to connect",
               .fallback = "60s",
               .minimum = 100,
               .maximum = 24 * kHour},
    OptionSpec{.name = "in_flight",
               .type = OptionType::kInteger,
               .help = "most publications that are sent and not yet acknowledged",
               .fallback = "20",
               .minimum = 1,
               .maximum = 1'000,
               .unit = "publications"},
    OptionSpec{.name = "publish_timeout",
               .type = OptionType::kDuration,
               .help =
                   "a publication that is not acknowledged in this time is sent again over a new "
                   "connection",
               .fallback = "20s",
               .minimum = kSecond,
               .maximum = kHour},
    OptionSpec{
        .name = "status_topic",
        .type = OptionType::kText,
        .help = "topic for \"online\" and \"offline\", retained; <prefix>/status if not given"},
};

Error invalid(std::string message) { return Error{ErrorCode::kInvalid, std::move(message)}; }

std::string text_or_empty(const Options& options, std::string_view name) {
  return options.has(name) ? options.text(name) : std::string{};
}

Status check_servers(const MqttOptions& options) {
  if (options.servers.empty())
    return invalid("'servers' is empty: name a broker, e.g. \"mqtt://localhost:1883\"");
  std::size_t with_tls = 0;
  for (const std::string& server : options.servers) {
    const auto uri = parse_server_uri(server);
    if (!uri) return Error{uri.error()}.with_context("'servers'");
    if (uri->tls) ++with_tls;
  }
  // Paho cannot go back from TLS once a client has used it, and half a secret is none.
  if (with_tls != 0 && with_tls != options.servers.size())
    return invalid("'servers' mixes addresses with and without TLS: use one kind");
  const TlsOptions& tls = options.tls;
  if (with_tls == 0 && !(tls.ca_file.empty() && tls.cert_file.empty() && tls.key_file.empty()))
    return invalid("TLS files are given, but no address in 'servers' uses TLS: write mqtts://");
  if (tls.cert_file.empty() != tls.key_file.empty())
    return invalid("'tls_cert' and 'tls_key' belong together: give both or neither");
  return Status::ok();
}

/// The daemon runs in another folder than whoever writes the file.
Status check_files(const Options& options) {
  for (const std::string_view name : {"credentials_file", "tls_ca", "tls_cert", "tls_key"}) {
    if (!options.has(name) || options.text(name).starts_with('/')) continue;
    return invalid("'" + std::string{name} + "' must be an absolute path, not \"" +
                   printable(options.text(name)) + "\": begin it with /, or leave it out");
  }
  return Status::ok();
}

Status check_client_id(const std::string& id) {
  if (id.empty()) return invalid("'client_id' is empty: the broker keeps missed messages by it");
  if (const Status text = check_topic(id); !text || id.find('/') != std::string::npos)
    return invalid("'client_id' \"" + printable(id) +
                   "\" is no good name: use letters, digits, \"-\" and \"_\"");
  return Status::ok();
}

}  // namespace

std::span<const OptionSpec> mqtt_options() { return kOptions; }

Result<MqttOptions> from(const Options& options) {
  MqttOptions out;
  out.servers = options.texts("servers");
  if (options.has("client_id")) out.client_id = options.text("client_id");
  out.version = options.text("protocol") == "5" ? 5 : 3;
  out.credentials_file = text_or_empty(options, "credentials_file");
  out.tls = {text_or_empty(options, "tls_ca"), text_or_empty(options, "tls_cert"),
             text_or_empty(options, "tls_key"), options.boolean("tls_verify")};
  out.keep_alive = options.duration("keep_alive");
  out.session_expiry = options.duration("session_expiry");
  out.connect_timeout = options.duration("connect_timeout");
  out.reconnect_min = options.duration("reconnect_min");
  out.reconnect_max = options.duration("reconnect_max");
  out.in_flight = static_cast<int>(options.integer("in_flight"));
  out.publish_timeout = options.duration("publish_timeout");
  out.status_topic = text_or_empty(options, "status_topic");

  SLUICE_RETURN_IF_ERROR(check_servers(out));
  SLUICE_RETURN_IF_ERROR(check_files(options));
  SLUICE_RETURN_IF_ERROR(check_client_id(out.client_id));
  if (out.reconnect_min > out.reconnect_max)
    return invalid("'reconnect_min' is longer than 'reconnect_max': it must not be");
  if (!options.has("status_topic")) return out;
  if (Status topic = check_topic(out.status_topic); !topic)
    return std::move(topic).error().with_context("'status_topic'");
  return out;
}

}  // namespace sluice::mqtt
