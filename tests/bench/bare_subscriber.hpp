// The baseline of the MQTT figures: a Paho C++ subscriber that does nothing but count.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace sluice::bench {

/// A persistent QoS 1 session, as the daemon's.
class BareSubscriber {
 public:
  BareSubscriber(const std::string& uri, const std::string& topic);
  ~BareSubscriber();

  void connect();
  void disconnect();
  /// Since connect().
  std::size_t count() const;

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace sluice::bench
