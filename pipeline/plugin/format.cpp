#include "pipeline/plugin/format.hpp"

namespace sluice {

std::string_view to_string(RejectReason reason) {
  switch (reason) {
    case RejectReason::kMalformed: return "malformed";
    case RejectReason::kMissingSensor: return "missing-sensor";
    case RejectReason::kMissingLevel: return "missing-level";
    case RejectReason::kNotANumber: return "not-a-number";
    case RejectReason::kNotFinite: return "not-finite";
    case RejectReason::kInvalidValue: return "invalid-value";
    case RejectReason::kBadTime: return "bad-time";
    case RejectReason::kTooLarge: return "too-large";
    case RejectReason::kOutOfRange: return "out-of-range";
  }
  return "unknown";
}

}  // namespace sluice
