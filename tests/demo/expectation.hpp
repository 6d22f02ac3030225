// Expectation: what Sluice must say, worked out a second time and in the plainest way.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/demo/record.hpp"

namespace sluice::demo {

/// What makes an alert that alert, apart from its wording.
struct AlertKey {
  std::string monitor;
  std::string sensor;
  std::string state;
  std::int64_t time{};  ///< seconds since 1970

  friend auto operator<=>(const AlertKey&, const AlertKey&) = default;
};

/// Fed with every sample and setting in the order in which they are sent.
class Expectation {
 public:
  explicit Expectation(const Record& record) : record_{record} {}

  void take(const Sample& sample);
  void take(const Push& push) { limits_[push.sensor] = push.above; }

  std::int64_t readings() const { return readings_; }
  std::int64_t rejected() const { return rejected_; }
  const std::multiset<AlertKey>& alerts() const { return alerts_; }

  struct Gauge {
    std::int64_t count{};
    double sum{};
    double last{};
    bool flooded{};
    std::vector<double> highest;  ///< three at most, the highest first

    double mean() const { return sum / static_cast<double>(count); }
  };
  const std::map<std::string, Gauge>& gauges() const { return gauges_; }

 private:
  std::optional<double> limit_for(const std::string& sensor) const;
  void watch_flood(const Sample& sample, Gauge& gauge);
  void expect(const char* monitor, const char* state, const Sample& sample);

  const Record& record_;
  std::map<std::string, Gauge> gauges_;
  std::map<std::string, double> limits_;  ///< settings, by sensor; "" is for all
  std::multiset<AlertKey> alerts_;
  std::int64_t readings_{};
  std::int64_t rejected_{};
};

}  // namespace sluice::demo
