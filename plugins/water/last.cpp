// last: each level with the one before it, which is forgotten after a time-to-live.
#include <array>

#include "plugins/water/kinds.hpp"
#include "plugins/water/outputs.hpp"

namespace sluice::water {

namespace {

class Last final : public KeyedProcessFunction<std::string, Reading, Output> {
 public:
  Last(std::string monitor, Duration ttl) : monitor_{std::move(monitor)}, ttl_{ttl} {}

  void open(RuntimeContext& context) override {
    last_ = context.value_state<double>({.name = "last", .ttl = TtlConfig{.ttl = ttl_}});
  }

  void process_element(const Reading& reading, Context&, Collector<Output>& out) override {
    const auto previous = last_.value();
    last_.update(reading.level);
    out.collect(
        value_output(monitor_, reading,
                     Datum{Datum::Struct{{"level", Datum{reading.level}},
                                         {"previous", previous ? Datum{*previous} : Datum{}}}}));
  }

 private:
  std::string monitor_;
  Duration ttl_;
  ValueState<double> last_;
};

constexpr std::array kOptions{
    OptionSpec{.name = "ttl",
               .type = OptionType::kDuration,
               .help = "how long a level is remembered after it came in",
               .fallback = "5s",
               .minimum = 1},
};

class LastKind final : public MonitorKind {
 public:
  std::string_view name() const override { return "last"; }
  std::string_view help() const override {
    return "Each level together with the one before it, unless that has been forgotten";
  }
  std::span<const OptionSpec> options() const override { return kOptions; }

  Stream<Output> build(const MonitorInputs& inputs, const Options& options) const override {
    return inputs.readings.key_by(&Reading::sensor)
        .process<Last>(inputs.name, options.duration("ttl"))
        .uid(inputs.name);
  }
};

}  // namespace

const MonitorKind& last_kind() {
  static const LastKind kind;
  return kind;
}

}  // namespace sluice::water
