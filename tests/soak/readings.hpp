// What is published: who the sensors are, what their reading number k is, and how a message with
// it looks.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace sluice::soak {

/// Reading number `k` of a sensor, counted from 0.
struct ReadingId {
  std::string sensor;
  std::uint64_t k{};

  friend auto operator<=>(const ReadingId&, const ReadingId&) = default;
};

/// No level occurs twice at a sensor, so an alert tells which reading it is of; and all fall into
/// few bins of this width, so the daemon's state stays small however long this runs.
inline constexpr double kBinWidth = 1e7;
double level_of(const ReadingId& id);
std::int64_t bin_of(const ReadingId& id);

/// The reading of the sensor that has this level; false if none has.
bool find_reading(const std::string& sensor, double level, ReadingId& id);

/// Whether each reading of this sensor but its first raises exactly one alert.
bool raises_alerts(const std::string& sensor);

/// A sensor that the rig uses itself, to know how far the daemon has come.
inline constexpr const char* kMarker = "mark";

/// One message.
struct Letter {
  std::string topic;
  std::string payload;
  std::vector<ReadingId> readings;
};
Letter letter_of_marker(std::uint64_t k);

/// A mixed load: four sources, each with its own format and way of batching. One thread.
class Gauges {
 public:
  explicit Gauges(std::uint64_t seed);

  Letter next();

 private:
  /// Sensors that take turns.
  struct Group {
    std::vector<ReadingId> next;
    std::size_t turn{};

    ReadingId take();
  };
  static Group group(const std::string& name, int count);

  std::mt19937_64 random_;
  Group json_, text_, csv_, batch_, tanks_, shy_;
};

/// What no source can use.
Letter rubbish(std::mt19937_64& random);

/// The daemon's tables for all this: sources and monitors. In `kCounts` is how often each bin of
/// each sensor occurred.
std::string sources_and_monitors();
inline constexpr const char* kCounts = "seen";
inline constexpr const char* kSetting = "flood";  ///< the monitor that takes settings

}  // namespace sluice::soak
