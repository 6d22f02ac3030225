// count: how often each level of a sensor occurred, by bins of a width.
#include <array>
#include <cmath>

#include "plugins/water/kinds.hpp"
#include "plugins/water/outputs.hpp"
#include "plugins/water/reset.hpp"

namespace sluice::water {

namespace {

/// The lower edge of the bin that a level falls into.
double bin_of(double level, double width) {
  const double quotient = level / width;
  // 0.3 / 0.1 is 2.9999999999999996: what is a whole number but for rounding belongs to its bin.
  const double nearest = std::round(quotient);
  const bool whole = std::abs(quotient - nearest) <= 1e-12 * std::abs(quotient);
  const double edge = (whole ? nearest : std::floor(quotient)) * width;
  if (!std::isfinite(edge)) return level;  // beyond what the width can divide
  return edge == 0 ? 0 : edge;             // one zero, not two
}

const MapStateDescriptor<double, std::int64_t> kBins{.name = "bins"};

class Count final : public KeyedBroadcastProcessFunction<std::string, Reading, Setting, Output> {
 public:
  Count(std::string monitor, double width) : monitor_{std::move(monitor)}, width_{width} {}

  void open(RuntimeContext& context) override { bins_ = context.map_state(kBins); }

  void process_element(const Reading& reading, ReadOnlyContext&, Collector<Output>& out) override {
    const double bin = bin_of(reading.level, width_);
    const std::int64_t count = bins_.get(bin).value_or(0) + 1;
    bins_.put(bin, count);
    out.collect(value_output(monitor_, reading,
                             Datum{Datum::Struct{{"level", Datum{bin}}, {"count", Datum{count}}}}));
  }

  void process_broadcast_element(const Setting& setting, Context& context,
                                 Collector<Output>&) override {
    reset_if_told(setting, context, kBins);
  }

 private:
  std::string monitor_;
  double width_;
  MapState<double, std::int64_t> bins_;  // lower edge → how often
};

constexpr std::array kOptions{
    OptionSpec{.name = "bin",
               .type = OptionType::kNumber,
               .help = "the width of a bin: levels from 2 up to but not including 3 count as 2",
               .fallback = "1",
               .minimum = 1e-6,
               .unit = "the sensor's unit"},
};

class CountKind final : public MonitorKind {
 public:
  std::string_view name() const override { return "count"; }
  std::string_view help() const override { return "How often each level of a sensor occurred"; }
  std::span<const OptionSpec> options() const override { return kOptions; }

  Result<Datum> check_setting(const Datum& value, const Options&) const override {
    return check_reset_setting(value);
  }

  Stream<Output> build(const MonitorInputs& inputs, const Options& options) const override {
    return inputs.readings.key_by(&Reading::sensor)
        .connect(inputs.settings.broadcast())
        .process<Count>(inputs.name, options.number("bin"))
        .uid(inputs.name);
  }
};

}  // namespace

const MonitorKind& count_kind() {
  static const CountKind kind;
  return kind;
}

}  // namespace sluice::water
