// A monitor kind that uses much of the runtime: keyed state and timers, operator state, broadcast
// state and a side output. It shows that all of it works across the border of a shared object.
#include <stdexcept>
#include <string>

#include "pipeline/graph/stream.hpp"
#include "pipeline/plugin/descriptor.hpp"

namespace {

using namespace sluice;
using namespace std::chrono_literals;

const BroadcastStateDescriptor<std::string, double> kLimits{.name = "limits"};
const OutputTag<Output> kOdd{"odd"};

Output output(const std::string& monitor, const std::string& sensor, const std::string& text) {
  Output out;
  out.monitor = monitor;
  out.sensor = sensor;
  out.text = text;
  return out;
}

/// Counts readings of each sensor, says so when one is above the pushed limit, and at the end of
/// ten seconds without a reading.
class Watcher final : public KeyedBroadcastProcessFunction<std::string, Reading, Setting, Output> {
 public:
  explicit Watcher(std::string monitor) : monitor_{std::move(monitor)} {}

  void open(RuntimeContext& context) override {
    count_ = context.value_state<std::int64_t>({.name = "count"});
    timer_ = context.value_state<Timestamp>({.name = "timer"});
  }
  void process_element(const Reading& reading, ReadOnlyContext& context,
                       Collector<Output>& out) override {
    if (reading.sensor == "boom") throw std::runtime_error{"this sensor is a mistake"};
    const auto count = count_.value().value_or(0) + 1;
    count_.update(count);
    if (const auto timer = timer_.value()) {
      context.timer_service().delete_processing_time_timer(*timer);
    }
    const Timestamp at = context.timer_service().current_processing_time() + 10'000;
    context.timer_service().register_processing_time_timer(at);
    timer_.update(at);
    if (reading.level < 0) {
      context.output(kOdd, output(monitor_, reading.sensor, "negative"));
      return;
    }
    const auto limit = context.broadcast_state(kLimits).get("");
    if (limit && reading.level > *limit) {
      out.collect(output(monitor_, reading.sensor, "high, reading " + std::to_string(count)));
    }
  }
  void process_broadcast_element(const Setting& setting, Context& context,
                                 Collector<Output>&) override {
    double limit = 0;
    if (setting.value.as_number(limit)) context.broadcast_state(kLimits).put("", limit);
  }
  void on_timer(Timestamp, OnTimerContext& context, Collector<Output>& out) override {
    out.collect(output(monitor_, context.current_key(),
                       "silent after " + std::to_string(count_.value().value_or(0))));
  }

 private:
  std::string monitor_;
  ValueState<std::int64_t> count_;
  ValueState<Timestamp> timer_;
};

/// Numbers all outputs, whatever their sensor.
class Number final : public MapFunction<Output, Output>, public CheckpointedFunction {
 public:
  void initialize_state(FunctionInitializationContext& context) override {
    total_ = context.operator_state().list_state<std::int64_t>("total");
    for (const auto n : total_.get()) count_ += n;
  }
  void snapshot_state(std::uint64_t) override { total_.update({count_}); }
  Output map(const Output& value) override {
    Output out = value;
    out.value = Datum{++count_};
    return out;
  }

 private:
  OperatorListState<std::int64_t> total_;
  std::int64_t count_{0};
};

class WatcherKind final : public MonitorKind {
 public:
  std::string_view name() const override { return "watcher"; }
  std::string_view help() const override { return "Counts readings"; }
  std::span<const OptionSpec> options() const override { return {}; }
  Stream<Output> build(const MonitorInputs& inputs, const Options&) const override {
    const auto watched = inputs.readings.key_by(&Reading::sensor)
                             .connect(inputs.settings.broadcast(kLimits))
                             .process<Watcher>(inputs.name)
                             .uid(inputs.name);
    return watched.union_with(watched.side_output(kOdd))
        .apply<Number>()
        .uid(inputs.name + "-total");
  }
};

Status add_kinds(Contribution& contribution) {
  static const WatcherKind kKind;
  return contribution.add(kKind);
}

}  // namespace

SLUICE_PLUGIN("watcher", "1.2.3", add_kinds)
