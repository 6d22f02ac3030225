// A plain MQTT client of a test's own, apart from the code under test: publishes, and collects what
// it subscribes to. Does not reconnect. Throws std::runtime_error where the broker says no.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/process.hpp"

namespace sluice::test {

struct ProbeMessage {
  std::string topic;
  std::string payload;
  int qos{};
  bool retain{};

  friend bool operator==(const ProbeMessage&, const ProbeMessage&) = default;
};

class MqttProbe {
 public:
  using Messages = std::vector<ProbeMessage>;

  /// Connected when it returns. `uri` as MosquittoBroker::uri() gives it.
  explicit MqttProbe(const std::string& uri, const std::string& user = "",
                     const std::string& password = "");
  ~MqttProbe();
  MqttProbe(const MqttProbe&) = delete;
  MqttProbe& operator=(const MqttProbe&) = delete;

  /// Acknowledged when it returns.
  void subscribe(const std::string& filter, int qos = 1);
  void publish(const std::string& topic, const std::string& payload, int qos = 1,
               bool retain = false);

  /// The same, with up to ten on their way at a time; flush() waits for the last of them.
  void publish_soon(const std::string& topic, const std::string& payload, int qos = 1);
  void flush();

  /// All so far, in the order they came.
  Messages messages() const;
  std::size_t count() const;

  /// Waits until `wanted` says true of all messages so far; false after `limit`.
  bool wait_for(const std::function<bool(const Messages&)>& wanted,
                std::chrono::milliseconds limit = kLimit);
  /// Until a message with this topic and payload has come.
  bool wait_for_message(const std::string& topic, const std::string& payload,
                        std::chrono::milliseconds limit = kLimit);

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace sluice::test
