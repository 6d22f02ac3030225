// sum: all levels of a sensor so far, added up. For pulses such as the tips of a rain gauge.
#include <algorithm>
#include <limits>

#include "plugins/water/kinds.hpp"
#include "plugins/water/outputs.hpp"

namespace sluice::water {

namespace {

/// Stays at the ends of the range: infinity is no JSON.
double add(const double& sum, const double& level) {
  constexpr double kMax = std::numeric_limits<double>::max();
  return std::clamp(sum + level, -kMax, kMax);
}

class Sum final : public KeyedProcessFunction<std::string, Reading, Output> {
 public:
  explicit Sum(std::string monitor) : monitor_{std::move(monitor)} {}

  void open(RuntimeContext& context) override {
    sum_ = context.reducing_state(ReducingStateDescriptor<double>{.name = "sum", .reduce = add});
  }

  void process_element(const Reading& reading, Context&, Collector<Output>& out) override {
    sum_.add(reading.level);
    out.collect(value_output(monitor_, reading, Datum{*sum_.get()}));
  }

 private:
  std::string monitor_;
  ReducingState<double> sum_;
};

class SumKind final : public MonitorKind {
 public:
  std::string_view name() const override { return "sum"; }
  std::string_view help() const override { return "All levels of each sensor so far, added up"; }
  std::span<const OptionSpec> options() const override { return {}; }

  Stream<Output> build(const MonitorInputs& inputs, const Options&) const override {
    return inputs.readings.key_by(&Reading::sensor).process<Sum>(inputs.name).uid(inputs.name);
  }
};

}  // namespace

const MonitorKind& sum_kind() {
  static const SumKind kind;
  return kind;
}

}  // namespace sluice::water
