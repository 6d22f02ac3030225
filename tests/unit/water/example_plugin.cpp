// record: an alert when a sensor reaches a level that it never reached before.
#include <array>

#include "pipeline/base/log.hpp"
#include "pipeline/plugin/descriptor.hpp"
#include "pipeline/plugin/option_text.hpp"

namespace {

using namespace sluice;

class Record final : public KeyedProcessFunction<std::string, Reading, Output> {
 public:
  Record(std::string monitor, double step) : monitor_{std::move(monitor)}, step_{step} {}

  void open(RuntimeContext& context) override {
    record_ = context.value_state<double>({.name = "record"});
  }

  void process_element(const Reading& reading, Context&, Collector<Output>& out) override {
    const auto record = record_.value();  // nothing, for a sensor's first reading
    if (record && reading.level <= *record + step_) return;
    record_.update(reading.level);
    if (!record) return;
    Output alert;
    alert.kind = OutputKind::kAlert;
    alert.monitor = monitor_;
    alert.sensor = reading.sensor;
    alert.time = reading.time;
    alert.value = reading.level;
    alert.limit = *record;
    alert.quality = reading.quality;
    alert.text = printable(reading.sensor) + " reached " + format_number(reading.level) +
                 ", more than ever before (" + format_number(*record) + ")";
    out.collect(alert);
  }

 private:
  std::string monitor_;
  double step_;
  ValueState<double> record_;
};

constexpr std::array kOptions{
    OptionSpec{.name = "step",
               .type = OptionType::kNumber,
               .help = "a record counts if it is broken by more than this",
               .fallback = "0.1",
               .minimum = 0,
               .unit = "the sensor's unit"}};

class RecordKind final : public MonitorKind {
 public:
  std::string_view name() const override { return "record"; }
  std::string_view help() const override { return "An alert when a level beats all before it"; }
  std::span<const OptionSpec> options() const override { return kOptions; }

  Stream<Output> build(const MonitorInputs& inputs, const Options& options) const override {
    return inputs.readings.key_by(&Reading::sensor)
        .process<Record>(inputs.name, options.number("step"))
        .uid(inputs.name);
  }
};

Status contribute(Contribution& contribution) {
  static const RecordKind kind;
  return contribution.add(kind);
}

}  // namespace

SLUICE_PLUGIN("record", "1.0.0", contribute)
