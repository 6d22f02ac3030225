#include "tests/bench/events.hpp"

#include <cstdio>
#include <random>

namespace sluice::bench {

std::string sensor_name(std::size_t number) {
  char text[32];
  std::snprintf(text, sizeof text, "sensor-%06zu", number);
  return text;
}

std::vector<Event> one_of_each(std::size_t keys) {
  std::vector<Event> events;
  events.reserve(keys);
  for (std::size_t i = 0; i < keys; ++i) {
    events.push_back({sensor_name(i), static_cast<double>(i % 97)});
  }
  return events;
}

std::vector<Event> random_events(std::size_t count, std::size_t keys) {
  std::mt19937_64 random{20240816};
  std::uniform_int_distribution<std::size_t> sensor{0, keys - 1};
  std::uniform_real_distribution<double> level{0, 1000};
  std::vector<Event> events;
  events.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    events.push_back({sensor_name(sensor(random)), level(random)});
  }
  return events;
}

}  // namespace sluice::bench
