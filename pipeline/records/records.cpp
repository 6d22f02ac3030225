#include "pipeline/records/output.hpp"
#include "pipeline/records/publication.hpp"
#include "pipeline/records/reading.hpp"

namespace sluice {

std::string_view to_string(Quality quality) {
  switch (quality) {
    case Quality::kGood: return "good";
    case Quality::kLate: return "late";
    case Quality::kSuspect: return "suspect";
  }
  return "unknown";
}

std::string_view to_string(AlarmState state) {
  switch (state) {
    case AlarmState::kEvent: return "event";
    case AlarmState::kPending: return "pending";
    case AlarmState::kActive: return "active";
    case AlarmState::kCleared: return "cleared";
  }
  return "unknown";
}

std::string to_string(const PublicationId& id) {
  return std::to_string(id.sequence) + "-" + std::to_string(id.ordinal);
}

}  // namespace sluice
