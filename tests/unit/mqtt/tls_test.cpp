#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/mosquitto.hpp"
#include "tests/unit/mqtt/recorders.hpp"

namespace sluice::mqtt {
namespace {

using ::testing::HasSubstr;

std::string tls_file(std::string_view name) {
  std::string path{SLUICE_SOURCE_DIR};
  path.append("/tests/unit/mqtt/tls/").append(name);
  return path;
}

test::BrokerSetup with_certificate(std::string_view name) {
  const std::string files = tls_file(name);
  test::BrokerSetup setup;
  setup.listener_lines =
      "cafile " + tls_file("ca.crt") + "\ncertfile " + files + ".crt\nkeyfile " + files + ".key\n";
  return setup;
}

/// A sink that talks TLS to a broker with the named certificate.
class Tls : public ::testing::Test {
 protected:
  void connect(std::string_view certificate, const std::function<void(MqttOptions&)>& change = {}) {
    broker.emplace(with_certificate(certificate));
    MqttOptions options = test_options("mqtts://localhost:" + std::to_string(broker->port()));
    options.tls.ca_file = tls_file("ca.crt");
    if (change) change(options);
    sink = make_sink(options, observer, log);
    ASSERT_TRUE(sink->start(queue));
  }

  std::optional<test::MosquittoBroker> broker;
  RecordingObserver observer;
  RecordingLog log;
  TestQueue queue;
  std::unique_ptr<PublicationSink> sink;
};

TEST_F(Tls, ConnectsToABrokerWithAGoodCertificate) {
  connect("localhost");
  queue.put({{1, 0}, Urgency::kAlert, "alerts/a", "x", 1, false});
  EXPECT_TRUE(queue.wait_for_delivered(1));
}

TEST_F(Tls, RefusesACertificateForAnotherHost) {
  connect("elsewhere");
  ASSERT_TRUE(observer.wait_for_reason("is not made for this host name: name the broker in"));
  EXPECT_FALSE(observer.changes.all().back().connected);
}

TEST_F(Tls, RefusesAnExpiredCertificate) {
  connect("expired");
  EXPECT_TRUE(observer.wait_for_reason("has expired: it was good until 20"));
  EXPECT_TRUE(observer.wait_for_reason("renew it at the broker, or set this machine's clock"));
}

TEST_F(Tls, RefusesAnAuthorityItWasNotGiven) {
  connect("localhost", [](MqttOptions& options) { options.tls.ca_file.clear(); });
  EXPECT_TRUE(observer.wait_for_reason("name its authority's certificate in 'tls_ca'"));
}

TEST_F(Tls, ConnectsToAnyBrokerIfToldNotToVerify) {
  connect("elsewhere", [](MqttOptions& options) { options.tls.verify = false; });
  EXPECT_TRUE(observer.wait_for_connected(true));
}

TEST_F(Tls, SaysWhichFileItCannotRead) {
  connect("localhost", [](MqttOptions& options) { options.tls.ca_file = "/no/such/ca.pem"; });
  EXPECT_TRUE(
      observer.wait_for_reason("cannot read /no/such/ca.pem: No such file or directory; "
                               "check 'tls_ca'"));
}

TEST_F(Tls, IsMissedByAClientWithoutIt) {
  broker.emplace(with_certificate("localhost"));
  MqttOptions options = test_options(broker->uri());
  options.connect_timeout = Duration{2'000};
  sink = make_sink(options, observer, log);
  ASSERT_TRUE(sink->start(queue));
  EXPECT_TRUE(observer.wait_for_reason("does it want TLS (mqtts://)?"));
}

}  // namespace
}  // namespace sluice::mqtt
