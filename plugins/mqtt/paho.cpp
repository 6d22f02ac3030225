#include "plugins/mqtt/paho.hpp"

#include <csignal>

namespace sluice::mqtt {
namespace {

// paho::message holds the C library's structure with the identifier in it, but gives it to its own
// unit tests only. An explicit instantiation may name a private member; should a later version
// rename it, this does not compile and nothing fails silently.
template <auto Member>
struct Opened {
  friend const MQTTAsync_message& c_message(const paho::message& message) {
    return message.*Member;
  }
};
const MQTTAsync_message& c_message(const paho::message& message);
template struct Opened<&paho::message::msg_>;

}  // namespace

std::uint16_t packet_id(const paho::message& message) {
  return static_cast<std::uint16_t>(c_message(message).msgid);
}

void ignore_sigpipe() { std::signal(SIGPIPE, SIG_IGN); }

}  // namespace sluice::mqtt
