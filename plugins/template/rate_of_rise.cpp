// rate-of-rise: an alert when the level of a sensor rises faster than a limit.
#include <array>
#include <string>

#include "pipeline/graph/stream.hpp"
#include "pipeline/plugin/descriptor.hpp"
#include "pipeline/plugin/option_text.hpp"

// The number of the interface this was written for. Where it differs, read docs/writing-a-plugin.md
// on what has changed before changing it here: that it compiles does not say that it is right.
static_assert(sluice::kPluginAbi == 3, "ported to plugin ABI 3");

namespace {

using sluice::KeyedProcessFunction, sluice::Output, sluice::Reading, sluice::ValueState;

class RateOfRise final : public KeyedProcessFunction<std::string, Reading, Output> {
 public:
  RateOfRise(std::string monitor, double limit) : monitor_{std::move(monitor)}, limit_{limit} {}

  void open(sluice::RuntimeContext& context) override {
    level_ = context.value_state<double>({.name = "level"});
    time_ = context.value_state<sluice::Timestamp>({.name = "time"});
  }
  void process_element(const Reading& now, Context&, sluice::Collector<Output>& out) override {
    const auto level = level_.value();
    const auto time = time_.value();
    if (level && time && now.time <= *time) return;  // out of order: says nothing of a rise
    level_.update(now.level);
    time_.update(now.time);
    if (!level || !time) return;
    const double minutes = static_cast<double>(now.time - *time) / 60'000;
    const double rise = (now.level - *level) / minutes;
    if (rise <= limit_) return;
    Output alert;
    alert.kind = sluice::OutputKind::kAlert;
    alert.monitor = monitor_;
    alert.sensor = now.sensor;
    alert.time = now.time;
    alert.value = rise;
    alert.limit = limit_;
    alert.quality = now.quality;
    alert.text = "the level rises faster than " + sluice::format_number(limit_) + " a minute";
    out.collect(alert);
  }

 private:
  std::string monitor_;
  double limit_;
  ValueState<double> level_;
  ValueState<sluice::Timestamp> time_;
};

constexpr std::array kOptions{
    sluice::OptionSpec{.name = "limit",
                       .type = sluice::OptionType::kNumber,
                       .help = "the fastest rise in a minute that is no alert",
                       .required = true,
                       .minimum = 0,
                       .unit = "the sensor's unit"}};

class RateOfRiseKind final : public sluice::MonitorKind {
 public:
  std::string_view name() const override { return "rate-of-rise"; }
  std::string_view help() const override { return "Alerts when a level rises too fast"; }
  std::span<const sluice::OptionSpec> options() const override { return kOptions; }
  sluice::Stream<Output> build(const sluice::MonitorInputs& inputs,
                               const sluice::Options& options) const override {
    return inputs.readings.key_by(&Reading::sensor)
        .process<RateOfRise>(inputs.name, options.number("limit"))
        .uid(inputs.name);
  }
};

sluice::Status contribute(sluice::Contribution& contribution) {
  static const RateOfRiseKind kKind;
  return contribution.add(kKind);
}

}  // namespace

SLUICE_PLUGIN("rate-of-rise", "1.0.0", contribute)
