// For what benchmarks ask of the broker themselves.
#pragma once

#include <mqtt/async_client.h>

#include <chrono>
#include <stdexcept>

namespace sluice::bench {

/// Until a broker that is there has answered. Throws if it does not.
inline constexpr std::chrono::seconds kPatience{20};

inline void wait(const mqtt::token_ptr& token) {
  if (!token->wait_for(kPatience)) throw std::runtime_error("the broker does not answer");
}

}  // namespace sluice::bench
