#include "plugins/formats/limits.hpp"

#include <string>

namespace sluice::formats {

bool reject_too_large(const MessageView& message, DecodeSink& sink) {
  if (message.payload.size() <= kMaxPayload) return false;
  sink.reject(RejectReason::kTooLarge, "a payload of " + std::to_string(message.payload.size()) +
                                           " bytes; at most " + std::to_string(kMaxPayload) +
                                           " are read");
  return true;
}

}  // namespace sluice::formats
