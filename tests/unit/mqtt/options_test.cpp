#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/plugin/option_text.hpp"
#include "plugins/mqtt/mqtt.hpp"
#include "plugins/mqtt/server_uri.hpp"

namespace sluice::mqtt {
namespace {

using ::testing::HasSubstr;

std::string error_of(const Options& options) {
  const auto result = from(options);
  return result ? "" : result.error().message();
}

Options with(std::string_view name, OptionValue value) {
  Options options = Options::fallbacks(mqtt_options());
  options.set(name, std::move(value));
  return options;
}

std::vector<std::string> list(std::vector<std::string> items) { return items; }

TEST(MqttOptions, NameFilesByAbsolutePathsAndNothingByNothing) {
  for (const char* name : {"credentials_file", "tls_ca", "tls_cert", "tls_key"}) {
    for (const char* path : {"", "secret", "./secret"}) {
      Options options = with(name, std::string{path});
      options.set("servers", std::vector<std::string>{"mqtts://x"});
      if (std::string_view{name} == "tls_cert") options.set("tls_key", std::string{"/k"});
      if (std::string_view{name} == "tls_key") options.set("tls_cert", std::string{"/c"});
      EXPECT_THAT(error_of(options), HasSubstr("'" + std::string{name} + "'")) << path;
    }
  }
  EXPECT_THAT(error_of(with("status_topic", std::string{})), HasSubstr("'status_topic'"));
}

TEST(MqttOptions, OfAnEmptyTableAreTheStructsOwnDefaults) {
  const auto result = from(Options::fallbacks(mqtt_options()));
  ASSERT_TRUE(result);
  const MqttOptions defaults;
  EXPECT_EQ(result->servers, defaults.servers);
  EXPECT_EQ(result->client_id, defaults.client_id);
  EXPECT_EQ(result->version, defaults.version);
  EXPECT_EQ(result->credentials_file, "");
  EXPECT_EQ(result->tls.verify, defaults.tls.verify);
  EXPECT_EQ(result->keep_alive, defaults.keep_alive);
  EXPECT_EQ(result->session_expiry, defaults.session_expiry);
  EXPECT_EQ(result->connect_timeout, defaults.connect_timeout);
  EXPECT_EQ(result->reconnect_min, defaults.reconnect_min);
  EXPECT_EQ(result->reconnect_max, defaults.reconnect_max);
  EXPECT_EQ(result->in_flight, defaults.in_flight);
  EXPECT_EQ(result->publish_timeout, defaults.publish_timeout);
  EXPECT_EQ(result->status_topic, "");
}

TEST(MqttOptions, TakeProtocolAndStatusTopic) {
  Options options = with("protocol", std::string{"3.1.1"});
  options.set("status_topic", std::string{"sluice/a/status"});
  const auto result = from(options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->version, 3);
  EXPECT_EQ(result->status_topic, "sluice/a/status");
}

TEST(MqttOptions, SayWhatIsWrongWithServers) {
  EXPECT_THAT(error_of(with("servers", list({}))), HasSubstr("'servers' is empty"));
  EXPECT_THAT(error_of(with("servers", list({"localhost"}))),
              HasSubstr("'servers': server address \"localhost\" does not begin with mqtt://"));
  EXPECT_THAT(
      error_of(with("servers", list({"ws://broker:9001"}))),
      HasSubstr(
          "is one for WebSockets, which Sluice does not speak: name the broker's other port"));
  EXPECT_THAT(error_of(with("servers", list({"mqtt://a", "mqtts://b"}))),
              HasSubstr("with and without TLS"));
}

TEST(MqttOptions, SayWhatIsWrongWithTls) {
  EXPECT_THAT(error_of(with("tls_ca", std::string{"/ca.pem"})), HasSubstr("write mqtts://"));
  Options options = with("servers", list({"mqtts://a"}));
  options.set("tls_cert", std::string{"cert.pem"});
  EXPECT_THAT(error_of(options), HasSubstr("belong together"));
}

TEST(MqttOptions, SayWhatIsWrongWithTheRest) {
  EXPECT_THAT(error_of(with("client_id", std::string{""})), HasSubstr("'client_id' is empty"));
  EXPECT_THAT(error_of(with("client_id", std::string{"a/b"})), HasSubstr("no good name"));
  EXPECT_THAT(error_of(with("client_id", std::string{"a#"})), HasSubstr("no good name"));
  EXPECT_THAT(error_of(with("status_topic", std::string{"a/+"})), HasSubstr("'status_topic': "));
  EXPECT_THAT(error_of(with("reconnect_min", std::int64_t{90'000})),
              HasSubstr("longer than 'reconnect_max'"));
}

TEST(ServerUri, IsMappedToWhatPahoWants) {
  const auto paho = [](std::string_view text) {
    const auto uri = parse_server_uri(text);
    return uri ? uri->paho : uri.error().message();
  };
  EXPECT_EQ(paho("mqtt://host"), "tcp://host:1883");
  EXPECT_EQ(paho("tcp://10.0.0.1:1884"), "tcp://10.0.0.1:1884");
  EXPECT_EQ(paho("mqtts://host"), "ssl://host:8883");
  EXPECT_EQ(paho("ssl://host:1/"), "ssl://host:1");
  EXPECT_EQ(paho("mqtt://[::1]"), "tcp://[::1]:1883");
  EXPECT_EQ(paho("mqtt://[::1]:1884"), "tcp://[::1]:1884");
  EXPECT_TRUE(parse_server_uri("mqtts://host")->tls);
  EXPECT_FALSE(parse_server_uri("mqtt://host")->tls);
}

TEST(ServerUri, IsRefusedIfMalformed) {
  for (const char* bad : {"", "host:1883", "http://host", "mqtt://", "mqtt://:1883", "mqtt://a:b",
                          "mqtt://a:0", "mqtt://a:65536", "mqtt://a:1/topic", "mqtt://a b",
                          "mqtt://[::1", "mqtt://[]:1", "mqtt://[::1]1883", "mqtt://a:"})
    EXPECT_FALSE(parse_server_uri(bad)) << bad;
}

TEST(ServerUri, DoesNotRepeatAPasswordInTheMessage) {
  const auto uri = parse_server_uri("mqtt://pegel:secret@host");
  ASSERT_FALSE(uri);
  EXPECT_THAT(uri.error().message(), HasSubstr("credentials_file"));
  EXPECT_THAT(uri.error().message(), ::testing::Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace sluice::mqtt
