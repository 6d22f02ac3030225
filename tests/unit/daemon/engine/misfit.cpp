#include "tests/unit/daemon/engine/misfit.hpp"

#include <array>
#include <stdexcept>

namespace sluice::daemon {
namespace {

constexpr int kNoStdException = 42;

Output value_of(const Reading& reading) {
  Output output;
  output.sensor = reading.sensor;
  output.time = reading.time;
  output.value = reading.level;
  return output;
}

class Misfit final : public KeyedProcessFunction<std::string, Reading, Output> {
 public:
  explicit Misfit(std::string how) : how_{std::move(how)} {
    if (how_ == "throw when made") throw std::runtime_error{"not in the mood"};
    if (how_ == "state when made") count_.update(1);
  }
  void open(RuntimeContext& context) override {
    if (how_ == "throw at open") throw std::runtime_error{"not in the mood"};
    if (how_ == "throw a number at open") throw kNoStdException;
    count_ = context.value_state<std::int64_t>({.name = "count"});
    if (how_ == "one name for two") {
      static_cast<void>(context.list_state<std::int64_t>({.name = "count"}));
    }
  }
  void process_element(const Reading& reading, Context&, Collector<Output>& out) override {
    count_.update(count_.value().value_or(0) + 1);
    Output output = value_of(reading);
    if (reading.level == 666 && how_ == "flood") {
      for (int i = 0; i < 1'000'000; ++i) out.collect(output);
    }
    if (reading.level == 666 && how_ == "babble") {
      output.kind = OutputKind::kAlert;
      output.text = std::string(2'000'000, 'x');
    }
    out.collect(output);
  }

 private:
  std::string how_;
  ValueState<std::int64_t> count_;
};

constexpr std::array kOptions{OptionSpec{
    .name = "how", .type = OptionType::kText, .help = "which rule it breaks", .fallback = "none"}};

class MisfitKind final : public MonitorKind {
 public:
  std::string_view name() const override { return "misfit"; }
  std::string_view help() const override { return "Breaks a rule"; }
  std::span<const OptionSpec> options() const override { return kOptions; }
  Stream<Output> build(const MonitorInputs& inputs, const Options& options) const override {
    const std::string& how = options.text("how");
    if (how == "throw in build") throw std::runtime_error{"not in the mood"};
    if (how == "throw a number in build") throw kNoStdException;
    if (how == "throw in a map") {
      return inputs.readings.map([](const Reading& reading) {
        if (reading.level == 666) throw std::runtime_error{"not in the mood"};
        return value_of(reading);
      });
    }
    const auto outputs = inputs.readings.key_by(&Reading::sensor).process<Misfit>(how);
    if (how == "no uid") return outputs;
    if (how == "fixed uid") return outputs.uid("fixed");
    return outputs.uid(inputs.name);
  }
};

}  // namespace

const MonitorKind& misfit() {
  static const MisfitKind kMisfit;
  return kMisfit;
}

}  // namespace sluice::daemon
