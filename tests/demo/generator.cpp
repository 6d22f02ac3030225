#include "tests/demo/generator.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numbers>
#include <random>

namespace sluice::demo {
namespace {

constexpr int kSteps = 384;
constexpr int kStepSeconds = 300;
constexpr double kPeriod = 12.42 * 3600 / kStepSeconds;  // of the tide, in steps
constexpr int kHighTide = 110;

// What happens when.
constexpr int kStuckSince = 60;
constexpr int kSilentFrom = 130;
constexpr int kSilentUntil = 210;
constexpr int kBadPayloads = 85;
constexpr int kPush = 190;
constexpr int kKill = 264;
constexpr int kGateOpens = 270;
constexpr int kRestart = 278;

struct Gauge {
  const char* name;
  double mean;       // cm
  double amplitude;  // cm
  double delay;      // steps that the tide needs to get there
  double first_surge;
  double second_surge;
};

constexpr std::array kGauges{
    Gauge{"harbour-quay", 200, 90, 0, 115, 62}, Gauge{"mill-bridge", 195, 80, 5, 20, 70},
    Gauge{"north-lock", 205, 60, 9, 10, 60},    Gauge{"tide-pole", 198, 95, 1, 12, 45},
    Gauge{"west-ditch", 190, 40, 14, 8, 75},
};

double bell(double step, double centre, double width) {
  const double x = (step - centre) / width;
  return std::exp(-x * x / 2);
}

double level_of(const Gauge& gauge, double step, double noise) {
  const double local = step - gauge.delay;
  const double phase = 2 * std::numbers::pi * (local - kHighTide) / kPeriod;
  const double level = gauge.mean + gauge.amplitude * std::cos(phase) +
                       gauge.first_surge * bell(local, kHighTide, 18) +
                       gauge.second_surge * bell(local, kHighTide + kPeriod, 24) + noise;
  return std::round(level * 10) / 10;
}

std::string iso_time(std::int64_t time) {
  const std::time_t seconds = time;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string payload_of(double level, std::int64_t time) {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), R"({"level": %.1f, "time": "%s"})", level,
                iso_time(time).c_str());
  return text.data();
}

void add_bad_payloads(std::vector<Sample>& samples, std::int64_t time) {
  samples.push_back({.topic = "gauges/north-lock/level",
                     .payload = R"({"level": null, "time": ")" + iso_time(time) + R"("})",
                     .sensor = {},
                     .time = time,
                     .fate = Fate::kRejected});
  samples.push_back({.topic = "gauges/west-ditch/level",
                     .payload = "sensor rebooting, please wait...",
                     .sensor = {},
                     .time = time,
                     .fate = Fate::kRejected});
}

class Coast {
 public:
  explicit Coast(std::int64_t begin) : begin_{begin} {}

  void add_step(int step, std::vector<Sample>& samples) {
    const std::int64_t time = begin_ + std::int64_t{step} * kStepSeconds;
    for (const Gauge& gauge : kGauges) {
      const std::string name{gauge.name};
      double level = level_of(gauge, step, noise_(random_));
      if (name == "mill-bridge" && step >= kGateOpens) level -= 60;
      if (name == "tide-pole") {
        if (step == kStuckSince) stuck_at_ = level;
        if (step > kStuckSince) level = stuck_at_;
      }
      if (name == "west-ditch" && step >= kSilentFrom && step < kSilentUntil) continue;
      samples.push_back({.topic = "gauges/" + name + "/level",
                         .payload = payload_of(level, time),
                         .sensor = name,
                         .level = level,
                         .time = time});
    }
    if (step == kBadPayloads) add_bad_payloads(samples, time);
  }

 private:
  std::int64_t begin_;
  std::mt19937 random_{20240808};
  std::normal_distribution<double> noise_{0, 1.2};
  double stuck_at_{};
};

}  // namespace

Record made_up_record(std::int64_t now) {
  Record record;
  record.title = "A made-up coast: five gauges, 32 hours, a reading every 5 minutes";
  record.unit = "cm";
  record.topic = "gauges/+/level";
  record.source =
      "format = \"json\"\nsensor = \"topic:1\"\nlevel = \"/level\"\ntime = \"/time\"\n"
      "unit = \"cm\"\n";
  for (const Gauge& gauge : kGauges) record.sensors.emplace_back(gauge.name);
  record.flood = 350;
  record.deadband = 10;
  record.jump = 30;
  record.quiet = "2s";
  record.row_every = 16 * kGauges.size();
  record.pause_us = 9'000;

  Coast coast{now - now % kStepSeconds - std::int64_t{kSteps} * kStepSeconds};
  for (int step = 0; step < kSteps; ++step) {
    const std::size_t position = record.samples.size();
    if (step == kSilentUntil) record.quiet_until = position;
    if (step == kKill) record.outage_begin = position;
    if (step == kRestart) record.outage_end = position;
    if (step == kPush)
      record.pushes.push_back({position, "", 310, "a second surge is forecast: warn earlier"});
    coast.add_step(step, record.samples);
  }
  return record;
}

}  // namespace sluice::demo
