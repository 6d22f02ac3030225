// Measuring: two ways of doing the same work, taken in turns, so that whatever else the machine
// does meets both.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sluice::bench {

/// How much work a run does.
struct Effort {
  int repetitions{5};
  std::size_t events{1'000'000};  ///< of one measurement
  std::vector<std::size_t> key_counts{100, 10'000, 1'000'000};
  std::size_t many_keys{1'000'000};  ///< where a figure is about a large state
  /// Through the broker and the journal. A broker has 65,535 packet ids for what it has sent and
  /// waits for: with more queued than that, mosquitto crawls, whoever the subscriber is.
  std::size_t messages{60'000};
  std::size_t alerts{2'000};        ///< whose latency is measured
  std::chrono::seconds away{30};    ///< the broker
  std::chrono::seconds quiet{130};  ///< a few readings a second; with a checkpoint each minute

  static Effort full() { return {}; }
  static Effort quick() {
    return {3,      200'000, {100, 10'000, 1'000'000}, 1'000'000,
            30'000, 500,     std::chrono::seconds{30}, std::chrono::seconds{65}};
  }
  /// Only to see that everything runs.
  static Effort smoke() {
    return {1, 2'000, {100}, 2'000, 500, 20, std::chrono::seconds{1}, std::chrono::seconds{1}};
  }
};

double median(std::vector<double> values);
/// The value that `share` (0..1) of all values do not exceed.
double quantile(std::vector<double> values, double share);

/// Seconds that `work` takes.
double seconds_of(const std::function<void()>& work);

struct Comparison {
  double baseline{};  ///< seconds, median
  double ours{};      ///< likewise
  /// How fast ours is in terms of the baseline: 1 is as fast, 0.5 half as fast. The median over
  /// the repetitions, each of which compares two neighbours in time.
  double ratio{};
};

Comparison compare(int repetitions, const std::function<void()>& baseline,
                   const std::function<void()>& ours);

/// A file with read(2), as fast as that goes, and a look at each byte.
void plain_read(const std::string& path);

/// Keeps the compiler from leaving out what nobody looks at.
inline void keep(double value) {
  volatile double sink = value;
  (void)sink;
}

}  // namespace sluice::bench
