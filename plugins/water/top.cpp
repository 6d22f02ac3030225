// top: the highest levels of a sensor so far.
#include <algorithm>
#include <array>
#include <vector>

#include "plugins/water/kinds.hpp"
#include "plugins/water/outputs.hpp"
#include "plugins/water/reset.hpp"

namespace sluice::water {

namespace {

const ListStateDescriptor<double> kHighest{.name = "highest"};

class Top final : public KeyedBroadcastProcessFunction<std::string, Reading, Setting, Output> {
 public:
  Top(std::string monitor, std::size_t size) : monitor_{std::move(monitor)}, size_{size} {}

  void open(RuntimeContext& context) override { highest_ = context.list_state(kHighest); }

  void process_element(const Reading& reading, ReadOnlyContext&, Collector<Output>& out) override {
    auto levels = highest_.get().to_vector();
    const bool shorter = levels.size() < size_;
    const bool longer = levels.size() > size_;  // restored from a configuration with a larger count
    if (shorter || longer || reading.level > levels.back()) {
      levels.insert(std::upper_bound(levels.begin(), levels.end(), reading.level, std::greater<>{}),
                    reading.level);
      if (levels.size() > size_) levels.resize(size_);
      highest_.update(levels);
    }
    Datum::List list{levels.begin(), levels.end()};
    out.collect(value_output(monitor_, reading, Datum{std::move(list)}));
  }

  void process_broadcast_element(const Setting& setting, Context& context,
                                 Collector<Output>&) override {
    reset_if_told(setting, context, kHighest);
  }

 private:
  std::string monitor_;
  std::size_t size_;
  ListState<double> highest_;  // descending; the same level may be in it several times
};

constexpr std::array kOptions{
    OptionSpec{.name = "count",
               .type = OptionType::kInteger,
               .help = "how many of the highest levels to keep",
               .fallback = "3",
               .minimum = 1,
               .maximum = 1000,
               .unit = "levels"},
};

class TopKind final : public MonitorKind {
 public:
  std::string_view name() const override { return "top"; }
  std::string_view help() const override { return "The highest levels of each sensor so far"; }
  std::span<const OptionSpec> options() const override { return kOptions; }

  Result<Datum> check_setting(const Datum& value, const Options&) const override {
    return check_reset_setting(value);
  }

  Stream<Output> build(const MonitorInputs& inputs, const Options& options) const override {
    return inputs.readings.key_by(&Reading::sensor)
        .connect(inputs.settings.broadcast())
        .process<Top>(inputs.name, static_cast<std::size_t>(options.integer("count")))
        .uid(inputs.name);
  }
};

}  // namespace

const MonitorKind& top_kind() {
  static const TopKind kind;
  return kind;
}

}  // namespace sluice::water
