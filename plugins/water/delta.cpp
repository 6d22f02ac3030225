// delta: an alert when two consecutive levels of a sensor differ by more than a limit.
#include <algorithm>
#include <array>
#include <cmath>

#include "pipeline/plugin/option_text.hpp"
#include "plugins/water/kinds.hpp"
#include "plugins/water/outputs.hpp"
#include "plugins/water/wording.hpp"

namespace sluice::water {

namespace {

/// The reading before; its time is kept without `per` too, so that `per` can be added later.
struct PreviousLevel {
  double level{};
  Timestamp time{};
};
SLUICE_FIELDS(PreviousLevel, level, time)

class Delta final : public KeyedProcessFunction<std::string, Reading, Output> {
 public:
  Delta(std::string monitor, double limit, std::int64_t per)
      : monitor_{std::move(monitor)}, limit_{limit}, per_{per} {}

  void open(RuntimeContext& context) override {
    previous_ = context.value_state<PreviousLevel>({.name = "previous"});
  }

  void process_element(const Reading& reading, Context&, Collector<Output>& out) override {
    if (const auto previous = previous_.value()) compare(*previous, reading, out);
    previous_.update({reading.level, reading.time});
  }

 private:
  void compare(const PreviousLevel& previous, const Reading& reading,
               Collector<Output>& out) const {
    const double change = reading.level - previous.level;
    const double magnitude = std::max(std::abs(reading.level), std::abs(previous.level));
    if (per_ == 0) {
      if (exceeds(std::abs(change), limit_, magnitude)) {
        out.collect(alert(reading, rise_text(change, magnitude, reading.unit) + " to " +
                                       amount_text(reading.level, reading.unit) + " (limit " +
                                       amount_text(limit_, reading.unit) + ")"));
      }
      return;
    }
    // Times that far apart fit no integer difference.
    const double elapsed = static_cast<double>(reading.time) - static_cast<double>(previous.time);
    if (elapsed == 0) return;  // two levels at one moment have no rate
    const double scale = static_cast<double>(per_) / elapsed;
    if (exceeds(std::abs(change * scale), limit_, std::abs(magnitude * scale))) {
      out.collect(alert(reading, rate_text(previous, reading, elapsed, scale)));
    }
  }

  /// A reading older than the one before still has a rate with it: told in the order of the water.
  std::string rate_text(const PreviousLevel& previous, const Reading& reading, double elapsed,
                        double scale) const {
    const bool in_order = elapsed > 0;
    const double from = in_order ? previous.level : reading.level;
    const double to = in_order ? reading.level : previous.level;
    const double magnitude = std::max(std::abs(from), std::abs(to));
    const std::string per = " per " + format_duration(per_);
    return rise_text(to - from, magnitude, reading.unit) + " in " +
           format_duration(std::llround(std::min(std::abs(elapsed), 9e18))) + " to " +
           amount_text(to, reading.unit) + ", " +
           with_unit(difference_text(std::abs((to - from) * scale), std::abs(magnitude * scale)),
                     reading.unit) +
           per + " (limit " + amount_text(limit_, reading.unit) + per + ")";
  }

  static std::string rise_text(double change, double magnitude, const std::string& unit) {
    return (change > 0 ? "rose by " : "fell by ") +
           with_unit(difference_text(std::abs(change), magnitude), unit);
  }

  Output alert(const Reading& reading, const std::string& text) const {
    return alert_output(monitor_, reading, AlarmState::kEvent, limit_, text);
  }

  std::string monitor_;
  double limit_;
  std::int64_t per_;  // milliseconds; 0: any time
  ValueState<PreviousLevel> previous_;
};

constexpr std::array kOptions{
    OptionSpec{.name = "limit",
               .type = OptionType::kNumber,
               .help = "the largest change between two readings that raises no alert",
               .fallback = "10",
               .minimum = 0,
               .unit = "the sensor's unit"},
    OptionSpec{.name = "per",
               .type = OptionType::kDuration,
               .help = "if set, the limit is for the change per this time, by the readings' times",
               .minimum = 1},
};

class DeltaKind final : public MonitorKind {
 public:
  std::string_view name() const override { return "delta"; }
  std::string_view help() const override {
    return "An alert when two consecutive levels of a sensor differ by more than a limit";
  }
  std::span<const OptionSpec> options() const override { return kOptions; }

  Stream<Output> build(const MonitorInputs& inputs, const Options& options) const override {
    const std::int64_t per = options.has("per") ? options.duration("per").count() : 0;
    return inputs.readings.key_by(&Reading::sensor)
        .process<Delta>(inputs.name, options.number("limit"), per)
        .uid(inputs.name);
  }
};

}  // namespace

const MonitorKind& delta_kind() {
  static const DeltaKind kind;
  return kind;
}

}  // namespace sluice::water
