// average: the mean of all levels of a sensor so far.
#include <cmath>

#include "plugins/water/kinds.hpp"
#include "plugins/water/outputs.hpp"
#include "plugins/water/reset.hpp"

namespace sluice::water {

namespace {

/// Kept as the mean itself, not as a sum: a select on the database shows it, and it cannot
/// overflow.
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
    const double share = (level - mean.mean) / static_cast<double>(mean.count);
    // The difference of two huge levels may not be finite; lerp's result always is.
    mean.mean = std::isfinite(share)
                    ? mean.mean + share
                    : std::lerp(mean.mean, level, 1 / static_cast<double>(mean.count));
  }
  double get_result(const Mean& mean) const { return mean.mean; }
};

const AggregatingStateDescriptor<MeanOfLevels> kMean{.name = "mean"};

class Average final : public KeyedBroadcastProcessFunction<std::string, Reading, Setting, Output> {
 public:
  explicit Average(std::string monitor) : monitor_{std::move(monitor)} {}

  void open(RuntimeContext& context) override { mean_ = context.aggregating_state(kMean); }

  void process_element(const Reading& reading, ReadOnlyContext&, Collector<Output>& out) override {
    mean_.add(reading.level);
    out.collect(value_output(monitor_, reading, Datum{*mean_.get()}));
  }

  void process_broadcast_element(const Setting& setting, Context& context,
                                 Collector<Output>&) override {
    reset_if_told(setting, context, kMean);
  }

 private:
  std::string monitor_;
  AggregatingState<double, double> mean_;
};

class AverageKind final : public MonitorKind {
 public:
  std::string_view name() const override { return "average"; }
  std::string_view help() const override { return "The mean of all levels of each sensor so far"; }
  std::span<const OptionSpec> options() const override { return {}; }

  Result<Datum> check_setting(const Datum& value, const Options&) const override {
    return check_reset_setting(value);
  }

  Stream<Output> build(const MonitorInputs& inputs, const Options&) const override {
    return inputs.readings.key_by(&Reading::sensor)
        .connect(inputs.settings.broadcast())
        .process<Average>(inputs.name)
        .uid(inputs.name);
  }
};

}  // namespace

const MonitorKind& average_kind() {
  static const AverageKind kind;
  return kind;
}

}  // namespace sluice::water
