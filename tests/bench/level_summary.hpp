// The job that the main figures are about: for each event the difference to the last level, the
// three highest levels so far and the mean, in one operator, with the state kinds made for that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "pipeline/graph/stream.hpp"
#include "pipeline/state/fields.hpp"
#include "tests/bench/events.hpp"

namespace sluice::bench {

struct Mean {
  std::int64_t count{};
  double mean{};
};
SLUICE_FIELDS(Mean, count, mean)

struct MeanOfLevels {
  using Input = double;
  using Accumulator = Mean;
  using Result = double;
  Mean create_accumulator() const { return {}; }
  void add(double level, Mean& mean) const {
    ++mean.count;
    mean.mean += (level - mean.mean) / static_cast<double>(mean.count);
  }
  double get_result(const Mean& mean) const { return mean.mean; }
};

struct Summary {
  double delta{};
  double third{};  ///< of the three highest
  double mean{};
};

class LevelSummary final : public KeyedProcessFunction<std::string, Event, Summary> {
 public:
  void open(RuntimeContext& context) override {
    last_ = context.value_state<double>({.name = "last"});
    top_ = context.list_state<double>({.name = "top"});
    mean_ = context.aggregating_state<MeanOfLevels>({.name = "mean"});
  }
  void process_element(const Event& event, Context&, Collector<Summary>& out) override {
    const auto last = last_.value();
    last_.update(event.level);
    mean_.add(event.level);
    out.collect({last ? event.level - *last : 0.0, take_into_top(event.level), *mean_.get()});
  }

 private:
  double take_into_top(double level) {
    const auto top = top_.get();
    const std::size_t size = top.size();
    if (size < 3) {
      top_.add(level);
      return level;
    }
    double best[4] = {top[0], top[1], top[2], level};
    std::sort(best, best + 4, std::greater<>{});
    if (best[3] != level) top_.update({best, 3});
    return best[2];
  }

  ValueState<double> last_;
  ListState<double> top_;
  AggregatingState<double, double> mean_;
};

/// The same by hand: what one would write without a framework, one look-up for each event.
class LevelSummaryByHand {
 public:
  void reserve(std::size_t keys) { sensors_.reserve(keys); }
  Summary process(const Event& event) {
    Sensor& sensor = sensors_[event.sensor];
    const double delta = sensor.known ? event.level - sensor.last : 0.0;
    sensor.known = true;
    sensor.last = event.level;
    ++sensor.count;
    sensor.mean += (event.level - sensor.mean) / static_cast<double>(sensor.count);
    return {delta, take_into_top(sensor, event.level), sensor.mean};
  }

 private:
  struct Sensor {
    double last{};
    double top[3]{};
    double mean{};
    std::int64_t count{};
    std::uint8_t in_top{};
    bool known{};
  };

  static double take_into_top(Sensor& sensor, double level) {
    if (sensor.in_top < 3) {
      sensor.top[sensor.in_top++] = level;
      return level;
    }
    double best[4] = {sensor.top[0], sensor.top[1], sensor.top[2], level};
    std::sort(best, best + 4, std::greater<>{});
    std::copy(best, best + 3, sensor.top);
    return best[2];
  }

  std::unordered_map<std::string, Sensor> sensors_;
};

/// A running job of it; `total()` depends on every result.
class LevelSummaryJob {
 public:
  explicit LevelSummaryJob(JobOptions options = {});
  void run(const std::vector<Event>& events) {
    const auto source = job_->source<Event>("events");
    for (const Event& event : events) source.emit(event);
  }
  Job& job() { return *job_; }
  double total() const { return total_; }

 private:
  Environment environment_;
  double total_{0};
  std::unique_ptr<Job> job_;
};

/// The result, or an exception with its error: a benchmark has nowhere to go on to.
template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  return std::move(*result);
}
inline void must(const Status& status) {
  if (!status) throw std::runtime_error(status.error().message());
}

}  // namespace sluice::bench
