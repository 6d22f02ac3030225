// Heard: what Sluice has published so far, read and sorted.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/demo/expectation.hpp"
#include "tests/support/mqtt_probe.hpp"

namespace sluice::demo {

struct Alert {
  AlertKey key;
  double limit{};
  std::int64_t setting{};  ///< version of the setting that the limit came from; 0: the file's
  std::string text;
};

class Heard {
 public:
  enum class News : std::uint8_t { kNothing, kAlert, kSetting, kRejected, kStatus };

  /// Throws nlohmann's exception for what is not the JSON that docs promise.
  News take(const test::ProbeMessage& message);

  const std::vector<Alert>& alerts() const { return alerts_; }  ///< each id once
  std::int64_t repeated() const { return repeated_; }           ///< alerts with an id known before
  std::int64_t readings() const { return readings_; }
  std::int64_t rejected() const { return static_cast<std::int64_t>(rejected_.size()); }
  std::int64_t settings_accepted() const { return settings_accepted_; }
  std::int64_t rejected_for(const std::string& reason) const;
  /// In words, what the last take() was about.
  const std::string& last() const { return last_; }

  struct Gauge {
    double mean{};
    std::vector<double> peaks;
  };
  const std::map<std::string, Gauge>& gauges() const { return gauges_; }

 private:
  News take_alert(const std::string& payload);
  News take_value(const std::string& monitor, const std::string& payload);
  News take_rejected(const std::string& payload);
  News take_setting(const std::string& target, const std::string& payload);

  std::vector<Alert> alerts_;
  std::set<std::string> ids_;
  std::int64_t repeated_{};
  std::int64_t readings_{};
  std::int64_t settings_accepted_{};
  std::vector<std::string> rejected_;  ///< their reasons
  std::map<std::string, Gauge> gauges_;
  std::string last_;
};

}  // namespace sluice::demo
