// Announcer: from outputs of monitors to publications: topics, JSON, ids.
#pragma once

#include <vector>

#include "daemon/config/config.hpp"
#include "daemon/topics.hpp"
#include "pipeline/plugin/format.hpp"
#include "pipeline/records/output.hpp"
#include "pipeline/records/publication.hpp"

namespace sluice::daemon {

/// Engine thread. The same outputs for the same record give the same publications.
class Announcer {
 public:
  explicit Announcer(Topics topics) : topics_{std::move(topics)} {}

  /// What follows is caused by this journal record.
  void begin(std::uint64_t sequence) {
    sequence_ = sequence;
    ordinal_ = 0;
    aside_ = 0;
  }

  /// An alert with its retained alarm state, or a derived value.
  void announce(const MonitorConfig& monitor, const Output& output, std::vector<Publication>& out);
  /// An alert about the daemon itself, on `<prefix>/alert/sluice/<part>`.
  void announce_notice(const std::string& part, const std::string& text, AlarmState state,
                       Timestamp time, std::vector<Publication>& out);
  /// The answer to a setting: retained.
  void announce_setting(const std::string& monitor, const std::string& sensor, Datum document,
                        std::vector<Publication>& out);
  /// A message that gave no reading.
  void announce_rejected(const std::string& source, Datum document, std::vector<Publication>& out);

  const Topics& topics() const { return topics_; }

 private:
  /// Ids of alerts must not depend on what is rate-limited, so others count from here.
  static constexpr std::uint32_t kAside = 0x80000000U;

  PublicationId next_id() { return {sequence_, ordinal_++}; }
  PublicationId next_aside_id() { return {sequence_, kAside + aside_++}; }

  Topics topics_;
  std::uint64_t sequence_{0};
  std::uint32_t ordinal_{0};
  std::uint32_t aside_{0};
};

}  // namespace sluice::daemon
