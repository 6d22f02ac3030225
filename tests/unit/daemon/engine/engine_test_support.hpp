// What the tests of the engine share: a configured site with the built-in kinds and one that fails
// on demand, and records to feed it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "daemon/builtins.hpp"
#include "daemon/config/config.hpp"
#include "daemon/engine/counters.hpp"
#include "pipeline/records/publication.hpp"
#include "storage/journal/record.hpp"
#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::daemon {

/// 2026-01-01T00:00:00Z: when every record series begins.
inline constexpr Timestamp kStart = 1'767'225'600'000;

/// A monitor of kind "fragile" counts readings and throws at a level of 666 while this is above 0,
/// each time making it one less. A level of 777 sets a timer, which throws likewise. Its check of a
/// setting of 666 always throws, and so does the format "fragile" at a payload of 666.
std::atomic<int>& fragile_failures();

/// A checked configuration; everything a machine or engine of it needs.
struct TestSite {
  /// `monitors` and `more` are TOML. The source "levels" takes JSON with sensor and level.
  explicit TestSite(const std::string& monitors, const std::string& more = "");

  storage::RecordingLog log;
  Counters counters;
  std::unique_ptr<Kinds> kinds;
  Config config;
};

/// A message as the journal has it, a second behind the one before it by sequence.
storage::JournalRecord message(std::uint64_t sequence, const std::string& source,
                               const std::string& topic, const std::string& payload);
/// One of the source "levels".
storage::JournalRecord reading(std::uint64_t sequence, const std::string& sensor, double level);
/// On the config topic.
storage::JournalRecord setting(std::uint64_t sequence, const std::string& target,
                               const std::string& payload, bool retained = false);

/// Topics in their order; and those whose topic begins like this.
std::vector<std::string> topics_of(const std::vector<Publication>& publications);
std::vector<Publication> those_on(const std::vector<Publication>& publications,
                                  const std::string& start);
/// A member of the JSON in a payload; null if there is none.
Datum member_of(const Publication& publication, const std::string& name);

}  // namespace sluice::daemon
