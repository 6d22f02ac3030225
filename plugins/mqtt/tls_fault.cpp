// Paho does not say why a handshake failed. Whether the broker's certificate is out of date, for
// another host, or by an unknown authority are three errands for a person, so after a failure the
// handshake is made again by hand and its verdict put into words.
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <poll.h>

#include <ctime>
#include <memory>

#include "plugins/mqtt/reach.hpp"
#include "plugins/mqtt/reasons.hpp"

namespace sluice::mqtt {
namespace {

constexpr std::chrono::seconds kPatience{2};

using Context = std::unique_ptr<SSL_CTX, decltype(&::SSL_CTX_free)>;
using Session = std::unique_ptr<SSL, decltype(&::SSL_free)>;
using Certificate = std::unique_ptr<X509, decltype(&::X509_free)>;

// As far as it gets in the time it has.
void shake_hands(SSL* session, const Socket& socket, const Cancelled& cancelled) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    const int rc = ::SSL_connect(session);
    if (rc == 1) return;
    const int wanted = ::SSL_get_error(session, rc);
    if (wanted != SSL_ERROR_WANT_READ && wanted != SSL_ERROR_WANT_WRITE) return;
    const auto events = static_cast<short>(wanted == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT);
    if (std::chrono::steady_clock::now() >= until || !socket.await(events, until, cancelled))
      return;
  }
}

std::string date_of(const ASN1_TIME* time) {
  std::tm parts{};
  char text[32] = "an unknown date";
  if (::ASN1_TIME_to_tm(time, &parts) == 1) std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32] = "";
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

std::string verdict(long code, X509* certificate, const std::string& uri, const TlsOptions& tls) {
  const std::string whose = "the certificate of " + uri;
  switch (code) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return whose + " has expired: it was good until " +
             date_of(::X509_get0_notAfter(certificate)) + ", and here it is " + now() +
             "; renew it at the broker, or set this machine's clock";
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return whose + " is not valid yet: it is good from " +
             date_of(::X509_get0_notBefore(certificate)) + ", and here it is " + now() +
             "; set this machine's clock";
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return whose +
             " is not made for this host name: name the broker in 'servers' as its certificate "
             "does, or have it made for this name";
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return whose + " is not signed by " +
             (tls.ca_file.empty()
                  ? "an authority the system knows: name its authority's certificate in 'tls_ca'"
                  : "one in " + tls.ca_file + ": put its authority's certificate there");
    default: return whose + " is refused: " + ::X509_verify_cert_error_string(code);
  }
}

}  // namespace

std::string tls_fault(const Socket& socket, const std::string& uri, const TlsOptions& tls,
                      const Cancelled& cancelled) {
  if (!tls.verify) return {};
  const HostPort target = split_uri(uri);
  const Context context{::SSL_CTX_new(::TLS_client_method()), &::SSL_CTX_free};
  if (!context) return {};
  if (tls.ca_file.empty()) {
    ::SSL_CTX_set_default_verify_paths(context.get());
  } else {
    ::SSL_CTX_load_verify_locations(context.get(), tls.ca_file.c_str(), nullptr);
  }
  const Session session{::SSL_new(context.get()), &::SSL_free};
  if (!session) return {};
  // The handshake goes on whatever the certificate is: the verdict is read below.
  ::SSL_set_verify(session.get(), SSL_VERIFY_NONE, nullptr);
  X509_VERIFY_PARAM* const wanted = ::SSL_get0_param(session.get());
  if (::X509_VERIFY_PARAM_set1_ip_asc(wanted, target.host.c_str()) != 1) {
    ::X509_VERIFY_PARAM_set1_host(wanted, target.host.c_str(), 0);
  }
  ::SSL_ctrl(session.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
             const_cast<char*>(target.host.c_str()));  // NOLINT: as the macro for it does
  ::SSL_set_fd(session.get(), socket.fd());
  shake_hands(session.get(), socket, cancelled);
  ::ERR_clear_error();
  const Certificate certificate{::SSL_get1_peer_certificate(session.get()), &::X509_free};
  const long code = ::SSL_get_verify_result(session.get());
  if (!certificate || code == X509_V_OK) return {};
  return verdict(code, certificate.get(), uri, tls);
}

}  // namespace sluice::mqtt
