// Ledger: what was published, what the daemon counted, which alerts came, and how they compare.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "tests/support/mqtt_probe.hpp"

namespace sluice::crash {

/// Reading number n goes to this sensor; each sensor's levels rise by kSensors from one to the
/// next, so that every reading but a sensor's first makes the `delta` monitor raise an alert.
inline constexpr std::uint64_t kSensors = 200;
std::string sensor_of(std::uint64_t number);

/// Names of the two monitors that the rig looks at.
inline constexpr const char* kCountMonitor = "seen";
inline constexpr const char* kAlertMonitor = "rise";

struct Verdict {
  std::uint64_t readings{0};
  std::uint64_t lost{0};
  std::uint64_t counted_twice{0};
  std::uint64_t alerts_missing{0};
  std::uint64_t alerts_repeated{0};
  std::uint64_t recognisable{0};  ///< of these: with the id of the first

  /// QoS 1 and 2 promise this; QoS 0 promises nothing.
  bool kept() const {
    return readings > 0 && lost == 0 && counted_twice == 0 && alerts_missing == 0 &&
           recognisable == alerts_repeated;
  }
};

/// State of a `count` monitor: sensor → lower edge of the bin → how often. From the checkpoint
/// database of a daemon that has stopped. Throws std::runtime_error if it cannot be read.
using Bins = std::map<std::string, std::map<double, std::uint64_t>>;
Bins counted_bins(const std::string& database, const std::string& monitor);

/// How often each reading is in the final state: level → count, over all sensors but the rigs' own.
/// As counted_bins().
std::map<std::uint64_t, std::uint64_t> counted_readings(const std::string& database);

/// `readings` were published, numbered from 0.
Verdict compare(std::uint64_t readings, const std::map<std::uint64_t, std::uint64_t>& counted,
                const test::MqttProbe::Messages& alerts);

}  // namespace sluice::crash
