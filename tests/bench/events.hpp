// The input of the benchmarks: readings of many sensors in random order, the same in every run.
#pragma once

#include <string>
#include <vector>

namespace sluice::bench {

struct Event {
  std::string sensor;  ///< "sensor-000123"
  double level{};
};

std::string sensor_name(std::size_t number);

/// One event for each sensor, in order: brings every key into being.
std::vector<Event> one_of_each(std::size_t keys);
/// `count` events, uniformly over the sensors.
std::vector<Event> random_events(std::size_t count, std::size_t keys);

}  // namespace sluice::bench
