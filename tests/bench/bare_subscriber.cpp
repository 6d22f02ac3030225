#include "tests/bench/bare_subscriber.hpp"

#include <atomic>

#include "tests/bench/paho_wait.hpp"

namespace sluice::bench {

class BareSubscriber::Inside final : public mqtt::callback {
 public:
  Inside(const std::string& uri, std::string topic)
      : client_{uri, "bench-bare", mqtt::create_options{MQTTVERSION_5}}, topic_{std::move(topic)} {
    client_.set_callback(*this);
  }
  void connect() {
    count_ = 0;
    // Filled where it stays: a copy of Paho's options may lose its properties.
    mqtt::connect_options options;
    options.set_mqtt_version(MQTTVERSION_5);
    options.set_clean_start(false);
    options.set_properties({{mqtt::property::SESSION_EXPIRY_INTERVAL, 3600}});
    wait(client_.connect(options));
    wait(client_.subscribe(topic_, 1));
  }
  void disconnect() { wait(client_.disconnect()); }
  std::size_t count() const { return count_; }

 private:
  void message_arrived(mqtt::const_message_ptr) override {
    count_.fetch_add(1, std::memory_order_relaxed);
  }

  mqtt::async_client client_;
  std::string topic_;
  std::atomic<std::size_t> count_{0};
};

BareSubscriber::BareSubscriber(const std::string& uri, const std::string& topic)
    : inside_{std::make_unique<Inside>(uri, topic)} {}
BareSubscriber::~BareSubscriber() = default;
void BareSubscriber::connect() { inside_->connect(); }
void BareSubscriber::disconnect() { inside_->disconnect(); }
std::size_t BareSubscriber::count() const { return inside_->count(); }

}  // namespace sluice::bench
