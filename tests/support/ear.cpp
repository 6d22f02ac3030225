#include "tests/support/ear.hpp"

#include <mqtt/async_client.h>

#include <atomic>
#include <csignal>
#include <stdexcept>

#include "tests/support/paho_uri.hpp"

namespace sluice::test {
class Ear::Inside : public mqtt::callback {
 public:
  Inside(const std::string& uri, const std::string& client_id, std::vector<std::string> filters,
         Listener listener)
      : filters_{std::move(filters)},
        listener_{std::move(listener)},
        client_{paho_uri(uri), client_id, mqtt::create_options{MQTTVERSION_3_1_1}} {
    std::signal(SIGPIPE, SIG_IGN);
    client_.set_callback(*this);
    mqtt::connect_options options;
    options.set_mqtt_version(MQTTVERSION_3_1_1);
    options.set_clean_session(false);
    options.set_automatic_reconnect(1, 1);
    options.set_connect_timeout(10);
    bool answered = client_.connect(options)->wait_for(kLimit);
    for (const std::string& filter : filters_)
      answered = answered && client_.subscribe(filter, 1)->wait_for(kLimit);
    if (!answered) throw std::runtime_error("no answer from the broker at " + uri);
    subscribed_ = true;
  }
  ~Inside() override {
    client_.disable_callbacks();
    try {
      if (client_.is_connected()) client_.disconnect()->wait_for(kLimit);
    } catch (const std::exception&) {
      // The broker may be gone by now.
    }
  }

  // A broker that was killed may have forgotten the session.
  void connected(const std::string&) override {
    if (!subscribed_) return;
    try {
      for (const std::string& filter : filters_) client_.subscribe(filter, 1);
    } catch (const mqtt::exception&) {
      // Lost again: the next connection asks anew.
    }
  }

  void message_arrived(mqtt::const_message_ptr message) override {
    listener_({message->get_topic(), message->get_payload_str(), message->get_qos(),
               message->is_retained()});
  }

 private:
  std::vector<std::string> filters_;
  Listener listener_;
  std::atomic<bool> subscribed_{false};
  mqtt::async_client client_;
};

Ear::Ear(const std::string& uri, const std::string& client_id, std::vector<std::string> filters,
         Listener listener)
    : inside_{std::make_unique<Inside>(uri, client_id, std::move(filters), std::move(listener))} {}

Ear::~Ear() = default;

}  // namespace sluice::test
