#include "tests/integration/ledger.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace sluice::test {
namespace {

constexpr int kSensors = 3;
constexpr double kJump = 10;  // of the delta monitor
constexpr std::size_t kHighest = 3;

}  // namespace

unsigned Ledger::random() {
  state_ = state_ * 1664525U + 1013904223U;
  return state_ >> 16U;
}

void Ledger::send_some(int count) {
  for (int n = 0; n < count; ++n) {
    const std::string sensor = "s" + std::to_string(number_ % kSensors);
    // The fraction is the reading's number, exact in binary: no level comes twice.
    const double level = random() % 40 + number_ / 65536.0;
    ++number_;
    note(sensor, level);
    site_.send(sensor, level);
  }
}

void Ledger::note(const std::string& name, double level) {
  Sensor& sensor = sensors_[name];
  if (sensor.count > 0 && std::abs(level - sensor.last) > kJump) alerts_.insert(level);
  sensor.last = level;
  ++sensor.count;
  sensor.mean += (level - sensor.mean) / sensor.count;
  sensor.highest.push_back(level);
  std::sort(sensor.highest.begin(), sensor.highest.end(), std::greater<>{});
  if (sensor.highest.size() > kHighest) sensor.highest.resize(kHighest);
}

void Ledger::wait_for_values() {
  for (const auto& [name, sensor] : sensors_) {
    site_.wait_for("value/mean/" + name, [&mean = sensor.mean](const Datum& value) {
      return number_at(value, "value") == mean;
    });
    const Datum highest = Datum::List{sensor.highest.begin(), sensor.highest.end()};
    site_.wait_for("value/highest/" + name,
                   [&](const Datum& value) { return at(value, "value") == highest; });
  }
}

void Ledger::expect_all() {
  wait_for_values();
  std::set<double> missing = alerts_;
  if (!missing.empty()) {
    site_.wait_for("alert/jump/", [&](const Datum& alert) {
      missing.erase(number_at(alert, "value"));
      return missing.empty();
    });
  }
  EXPECT_EQ(missing, std::set<double>{}) << "alerts that never came";
  std::map<double, std::string> id_of;
  std::set<std::string> ids;
  for (const auto& alert : site_.told("alert/jump/")) {
    const double level = number_at(alert.document, "value");
    const std::string id = text_at(alert.document, "id");
    EXPECT_TRUE(alerts_.contains(level)) << "an alert that should not be: " << level;
    const auto [first, is_first] = id_of.emplace(level, id);
    EXPECT_EQ(first->second, id) << "a repeat of the alert at " << level << " with another id";
    EXPECT_TRUE(ids.insert(id).second || !is_first) << "two alerts with the id " << id;
  }
}

}  // namespace sluice::test
