#include "tests/support/mqtt_probe.hpp"

#include <mqtt/async_client.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <stdexcept>

#include "tests/support/paho_uri.hpp"

namespace sluice::test {
namespace {

std::string unique_id() {
  static std::atomic<int> number{0};
  return "probe-" + std::to_string(::getpid()) + "-" + std::to_string(++number);
}

template <class Token>
void finish(const Token& token, const std::string& what) {
  if (!token->wait_for(kLimit)) throw std::runtime_error(what + ": no answer from the broker");
}

}  // namespace

class MqttProbe::Inside : public mqtt::callback {
 public:
  explicit Inside(const std::string& uri)
      : client{paho_uri(uri), unique_id(), mqtt::create_options{MQTTVERSION_3_1_1}} {
    std::signal(SIGPIPE, SIG_IGN);
    client.set_callback(*this);
  }

  void message_arrived(mqtt::const_message_ptr message) override {
    {
      const std::lock_guard lock{mutex};
      messages.push_back({message->get_topic(), message->get_payload_str(), message->get_qos(),
                          message->is_retained()});
    }
    arrived.notify_all();
  }

  std::mutex mutex;
  std::condition_variable arrived;
  Messages messages;
  mqtt::async_client client;
  std::deque<mqtt::delivery_token_ptr> waiting;  ///< of publish_soon(), not acknowledged yet
};

MqttProbe::MqttProbe(const std::string& uri, const std::string& user, const std::string& password)
    : inside_{std::make_unique<Inside>(uri)} {
  mqtt::connect_options options;
  options.set_mqtt_version(MQTTVERSION_3_1_1);
  options.set_clean_session(true);
  if (!user.empty()) {
    options.set_user_name(user);
    options.set_password(password);
  }
  finish(inside_->client.connect(options), "probe at " + uri);
}

MqttProbe::~MqttProbe() {
  try {
    if (inside_->client.is_connected()) inside_->client.disconnect()->wait_for(kLimit);
  } catch (const std::exception&) {
    // The broker may be gone by now.
  }
}

void MqttProbe::subscribe(const std::string& filter, int qos) {
  finish(inside_->client.subscribe(filter, qos), "subscribing to " + filter);
}

void MqttProbe::publish(const std::string& topic, const std::string& payload, int qos,
                        bool retain) {
  finish(inside_->client.publish(topic, payload.data(), payload.size(), qos, retain),
         "publishing on " + topic);
}

void MqttProbe::publish_soon(const std::string& topic, const std::string& payload, int qos) {
  // Few enough that Paho keeps their order and none of its own bounds is met.
  constexpr std::size_t kWindow = 10;
  auto& waiting = inside_->waiting;
  waiting.push_back(inside_->client.publish(topic, payload.data(), payload.size(), qos, false));
  if (waiting.size() < kWindow) return;
  finish(waiting.front(), "publishing");
  waiting.pop_front();
}

void MqttProbe::flush() {
  for (const auto& token : inside_->waiting) finish(token, "publishing");
  inside_->waiting.clear();
}

MqttProbe::Messages MqttProbe::messages() const {
  const std::lock_guard lock{inside_->mutex};
  return inside_->messages;
}

std::size_t MqttProbe::count() const {
  const std::lock_guard lock{inside_->mutex};
  return inside_->messages.size();
}

bool MqttProbe::wait_for(const std::function<bool(const Messages&)>& wanted,
                         std::chrono::milliseconds limit) {
  std::unique_lock lock{inside_->mutex};
  return inside_->arrived.wait_for(lock, limit, [&] { return wanted(inside_->messages); });
}

bool MqttProbe::wait_for_message(const std::string& topic, const std::string& payload,
                                 std::chrono::milliseconds limit) {
  return wait_for(
      [&](const Messages& messages) {
        return std::any_of(messages.begin(), messages.end(), [&](const ProbeMessage& one) {
          return one.topic == topic && one.payload == payload;
        });
      },
      limit);
}

}  // namespace sluice::test
