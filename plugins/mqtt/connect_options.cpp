#include "plugins/mqtt/connect_options.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sluice::mqtt {
namespace {

// Paho takes seconds and would read 0 as "never" or "at once".
template <class Unit>
int whole_seconds(Unit length) {
  return static_cast<int>(
      std::max<std::int64_t>(1, std::chrono::duration_cast<std::chrono::seconds>(length).count()));
}

Status check_readable(std::string_view option, const std::string& path) {
  if (path.empty() || ::access(path.c_str(), R_OK) == 0) return Status::ok();
  return Error{ErrorCode::kIo, "cannot read " + path + ": " + std::strerror(errno) + "; check '" +
                                   std::string{option} + "' and the file's owner"};
}

Result<paho::ssl_options> make_ssl_options(const TlsOptions& tls) {
  SLUICE_RETURN_IF_ERROR(check_readable("tls_ca", tls.ca_file));
  SLUICE_RETURN_IF_ERROR(check_readable("tls_cert", tls.cert_file));
  SLUICE_RETURN_IF_ERROR(check_readable("tls_key", tls.key_file));
  paho::ssl_options out;
  if (!tls.ca_file.empty()) out.set_trust_store(tls.ca_file);
  if (!tls.cert_file.empty()) out.set_key_store(tls.cert_file);
  if (!tls.key_file.empty()) out.set_private_key(tls.key_file);
  // Two switches: the first is about the signature, the second about the host name, and off.
  out.set_enable_server_cert_auth(tls.verify);
  out.set_verify(tls.verify);
  return out;
}

// A message is in memory several times before its size can be judged; a broker keeps back what is
// larger, and tells nobody. So far more than limits.payload_size can allow: what is merely too
// large is to be seen and rejected.
constexpr std::int32_t kLargestPacket = (16 << 20) + (128 << 10);

// The source's session outlives connection and process: what comes meanwhile waits at the broker.
// The sink's must not: Paho would send again from memory that it has freed, and the outbox is ours.
void set_session(paho::connect_options& out, const MqttOptions& options, Role role) {
  const bool forget = role == Role::kSink;
  if (options.version != 5) {
    out.set_clean_session(forget);
    return;
  }
  out.set_clean_start(forget);
  if (forget) return;
  const std::int32_t expiry = whole_seconds(options.session_expiry);
  out.set_properties({paho::property{paho::property::SESSION_EXPIRY_INTERVAL, expiry},
                      paho::property{paho::property::MAXIMUM_PACKET_SIZE, kLargestPacket}});
}

}  // namespace

std::string_view to_string(Role role) { return role == Role::kSource ? "source" : "sink"; }

std::string client_id(const MqttOptions& options, Role role) {
  return options.client_id + (role == Role::kSource ? "-in" : "-out");
}

paho::create_options make_create_options(const MqttOptions& options) {
  paho::create_options out{options.version == 5 ? MQTTVERSION_5 : MQTTVERSION_3_1_1};
  // Above our own window, so that it is always the window that limits.
  out.set_max_buffered_messages(options.in_flight + 100);
  return out;
}

Status fill_connect_options(paho::connect_options& out, const MqttOptions& options, Role role,
                            const std::string& uri, const std::optional<Credentials>& credentials) {
  out.set_mqtt_version(options.version == 5 ? MQTTVERSION_5 : MQTTVERSION_3_1_1);
  set_session(out, options, role);
  out.set_automatic_reconnect(false);
  out.set_keep_alive_interval(whole_seconds(options.keep_alive));
  out.set_connect_timeout(whole_seconds(options.connect_timeout));
  if (credentials) {
    out.set_user_name(credentials->user);
    if (!credentials->password.empty()) out.set_password(credentials->password);
  }
  if (role == Role::kSink && !options.status_topic.empty())
    out.set_will(paho::will_options(options.status_topic, std::string{"offline"}, 1, true));
  if (options.servers.size() > 1) out.set_servers(paho::string_collection::create(uri));
  if (!uri.starts_with("ssl://")) return Status::ok();
  auto tls = make_ssl_options(options.tls);
  if (!tls) return std::move(tls).error();
  out.set_ssl(*tls);
  return Status::ok();
}

}  // namespace sluice::mqtt
