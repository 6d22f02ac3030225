// sum: all levels of a sensor so far, added up. For pulses such as the tips of a rain gauge.
#include <algorithm>
#include <limits>

#include "plugins/water/kinds.hpp"
#include "plugins/water/outputs.hpp"
#include "plugins/water/reset.hpp"

namespace sluice::water {

namespace {

/// Stays at the ends of the range: infinity is no JSON.
double add(const double& sum, const double& level) {
  constexpr double kMax = std::numeric_limits<double>::max();
  return std::clamp(sum + level, -kMax, kMax);
}

const ReducingStateDescriptor<double> kSum{.name = "sum", .reduce = add};

class Sum final : public KeyedBroadcastProcessFunction<std::string, Reading, Setting, Output> {
 public:
  explicit Sum(std::string monitor) : monitor_{std::move(monitor)} {}

  void open(RuntimeContext& context) override { sum_ = context.reducing_state(kSum); }

  void process_element(const Reading& reading, ReadOnlyContext&, Collector<Output>& out) override {
    sum_.add(reading.level);
    out.collect(value_output(monitor_, reading, Datum{*sum_.get()}));
  }

  void process_broadcast_element(const Setting& setting, Context& context,
                                 Collector<Output>&) override {
    reset_if_told(setting, context, kSum);
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

  Result<Datum> check_setting(const Datum& value, const Options&) const override {
    return check_reset_setting(value);
  }

  Stream<Output> build(const MonitorInputs& inputs, const Options&) const override {
    return inputs.readings.key_by(&Reading::sensor)
        .connect(inputs.settings.broadcast())
        .process<Sum>(inputs.name)
        .uid(inputs.name);
  }
};

}  // namespace

const MonitorKind& sum_kind() {
  static const SumKind kind;
  return kind;
}

}  // namespace sluice::water
