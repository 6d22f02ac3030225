#include "pipeline/base/result.hpp"

namespace sluice {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid: return "invalid";
    case ErrorCode::kNotFound: return "not-found";
    case ErrorCode::kUnavailable: return "unavailable";
    case ErrorCode::kIo: return "io";
    case ErrorCode::kFull: return "full";
    case ErrorCode::kCorrupt: return "corrupt";
    case ErrorCode::kVersion: return "version";
    case ErrorCode::kConflict: return "conflict";
    case ErrorCode::kInternal: return "internal";
  }
  return "unknown";
}

}  // namespace sluice
