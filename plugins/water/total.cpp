// total: the number of readings that this monitor has seen, of all sensors, over restarts.
#include <numeric>

#include "plugins/water/kinds.hpp"
#include "plugins/water/outputs.hpp"

namespace sluice::water {

namespace {

class Total final : public ProcessFunction<Reading, Output>, public CheckpointedFunction {
 public:
  explicit Total(std::string monitor) : monitor_{std::move(monitor)} {}

  void initialize_state(FunctionInitializationContext& context) override {
    stored_ = context.operator_state().list_state<std::int64_t>("total");
    // More than one element if the number of instances has changed meanwhile (OS-05).
    const auto& parts = stored_.get();
    total_ = std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
  }
  void snapshot_state(std::uint64_t) override { stored_.update({total_}); }

  void process_element(const Reading& reading, Context&, Collector<Output>& out) override {
    Output output = value_output(monitor_, reading, Datum{++total_});
    output.sensor.clear();  // it is about all of them
    out.collect(output);
  }

 private:
  std::string monitor_;
  std::int64_t total_{0};
  OperatorListState<std::int64_t> stored_;
};

class TotalKind final : public MonitorKind {
 public:
  std::string_view name() const override { return "total"; }
  std::string_view help() const override {
    return "The number of readings so far, of all sensors together";
  }
  std::span<const OptionSpec> options() const override { return {}; }

  Stream<Output> build(const MonitorInputs& inputs, const Options&) const override {
    return inputs.readings.process<Total>(inputs.name).uid(inputs.name);
  }
};

}  // namespace

const MonitorKind& total_kind() {
  static const TotalKind kind;
  return kind;
}

}  // namespace sluice::water
