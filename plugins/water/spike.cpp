// spike: an alert for each single level that is out of range.
#include <array>

#include "plugins/water/kinds.hpp"
#include "plugins/water/limits.hpp"
#include "plugins/water/outputs.hpp"
#include "plugins/water/wording.hpp"

namespace sluice::water {

namespace {

const OutputTag<Output>& spikes() {
  static const OutputTag<Output> tag{"spikes"};
  return tag;
}

/// Lets what is in range pass, and puts the rest aside as alerts.
class Spike final : public ProcessFunction<Reading, Reading> {
 public:
  Spike(std::string monitor, Limits range) : monitor_{std::move(monitor)}, range_{range} {}

  void process_element(const Reading& reading, Context& context, Collector<Reading>& out) override {
    if (range_.above && reading.level > *range_.above) {
      context.output(spikes(), alert(reading, "above", *range_.above));
    } else if (range_.below && reading.level < *range_.below) {
      context.output(spikes(), alert(reading, "below", *range_.below));
    } else {
      out.collect(reading);
    }
  }

 private:
  Output alert(const Reading& reading, const std::string& side, double limit) const {
    return alert_output(monitor_, reading, AlarmState::kEvent, limit,
                        "sent " + amount_text(reading.level, reading.unit) + ", " + side +
                            " the limit of " + amount_text(limit, reading.unit));
  }

  std::string monitor_;
  Limits range_;
};

constexpr std::array kOptions{
    OptionSpec{.name = "above",
               .type = OptionType::kNumber,
               .help = "each level above this is reported",
               .unit = "the sensor's unit"},
    OptionSpec{.name = "below",
               .type = OptionType::kNumber,
               .help = "each level below this is reported",
               .unit = "the sensor's unit"},
};

class SpikeKind final : public MonitorKind {
 public:
  std::string_view name() const override { return "spike"; }
  std::string_view help() const override {
    return "An alert for each single level that is out of range";
  }
  std::span<const OptionSpec> options() const override { return kOptions; }

  Status check(const Options& options) const override {
    const Limits range = limits_of(options);
    if (!range.above && !range.below) {
      return Error{ErrorCode::kInvalid,
                   "give 'above' or 'below', or both: without, nothing is out "
                   "of range"};
    }
    return check_limits(range);
  }

  Stream<Output> build(const MonitorInputs& inputs, const Options& options) const override {
    return inputs.readings.process<Spike>(inputs.name, limits_of(options))
        .uid(inputs.name)
        .side_output(spikes());
  }
};

}  // namespace

const MonitorKind& spike_kind() {
  static const SpikeKind kind;
  return kind;
}

}  // namespace sluice::water
