// Eclipse Paho C++, as the rest of this folder sees it, and the one thing it does not offer.
//
// Our namespace has the library's name, so it is called paho in here.
#pragma once

#include <mqtt/async_client.h>

#include <cstdint>

namespace sluice::mqtt {

namespace paho = ::mqtt;

/// The packet identifier that the broker gave this delivery, 0 for QoS 0. The same message sent
/// again after a lost connection has the same one and is_duplicate() set.
std::uint16_t packet_id(const paho::message& message);

/// Paho and the libraries below it write to sockets that the broker may have closed. Without this
/// that ends the process. To be called after a client was made, which changes it back.
void ignore_sigpipe();

}  // namespace sluice::mqtt
