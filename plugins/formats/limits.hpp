// What we are willing to take apart. Checked before any parsing, so that no payload, however
// made, costs more than a known amount of memory and stack.
#pragma once

#include <cstddef>

#include "pipeline/plugin/format.hpp"

namespace sluice::formats {

/// Bytes of one payload.
inline constexpr std::size_t kMaxPayload = 256 * 1024;

/// True if the payload is larger than that: then it has been rejected.
bool reject_too_large(const MessageView& message, DecodeSink& sink);

/// Arrays and objects inside one another.
inline constexpr std::size_t kMaxDepth = 64;

/// Bytes of a sensor's name: it becomes a key of the state and part of a topic.
inline constexpr std::size_t kMaxSensorName = 512;

}  // namespace sluice::formats
