// Publication: bytes on their way out, with an id that is the same each time they are made.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace sluice {

/// Deterministic identity: the journal record that caused it, and which of that record's outputs
/// it is. Replaying the journal gives the same ids, so a repeat can be told from news.
struct PublicationId {
  std::uint64_t sequence{};  ///< journal sequence of the cause; 0 = made outside the engine
  std::uint32_t ordinal{};   ///< 0, 1, … among the publications of that cause

  friend auto operator<=>(const PublicationId&, const PublicationId&) = default;
};

/// "1234-0": as it appears in alerts, in the outbox table and in logs.
std::string to_string(const PublicationId& id);

/// What gives way first when there is no room: a lower class goes before a higher one.
enum class Urgency : std::uint8_t {
  kValue = 0,   ///< newest per topic wins; never marked delivered
  kStatus = 1,  ///< retained states; newest per topic wins
  kAlert = 2,   ///< each one is delivered at least once
};

struct Publication {
  PublicationId id;
  Urgency urgency{Urgency::kValue};
  std::string topic;
  std::string payload;
  int qos{1};
  bool retain{};

  friend bool operator==(const Publication&, const Publication&) = default;
};

}  // namespace sluice
