// threshold: an alarm while a level is above or below a limit, which the config topic can change.
#include <algorithm>
#include <array>
#include <cmath>

#include "plugins/water/kinds.hpp"
#include "plugins/water/limits.hpp"
#include "plugins/water/outputs.hpp"
#include "plugins/water/wording.hpp"

namespace sluice::water {

namespace {

/// By sensor; the empty id is the setting for all.
const BroadcastStateDescriptor<std::string, LimitSetting> kSettings{.name = "settings"};

/// A limit and the version of the setting it came from, 0 if from the file.
struct Limit {
  double value{};
  std::int64_t version{};
};

/// Both limits as they are for one sensor now.
struct EffectiveLimits {
  std::optional<Limit> above;
  std::optional<Limit> below;
};

// As it stands in the alarm state: readable in the database.
constexpr std::string_view kAbove = "above";
constexpr std::string_view kBelow = "below";

class Threshold final
    : public KeyedBroadcastProcessFunction<std::string, Reading, Setting, Output> {
 public:
  Threshold(std::string monitor, Limits file, double deadband)
      : monitor_{std::move(monitor)}, file_{file}, deadband_{deadband} {}

  void open(RuntimeContext& context) override {
    alarm_ = context.value_state<std::string>({.name = "alarm"});
  }

  void process_element(const Reading& reading, ReadOnlyContext& context,
                       Collector<Output>& out) override {
    const auto limits = limits_for(reading.sensor, context);
    const std::string before = alarm_.value().value_or("");
    const std::string_view after = side_of(reading.level, before, limits);
    if (after == before) return;
    if (!before.empty()) out.collect(cleared(reading, before, limits));
    if (!after.empty()) out.collect(raised(reading, after, limits));
    after.empty() ? alarm_.clear() : alarm_.update(std::string{after});
  }

  void process_broadcast_element(const Setting& setting, Context& context,
                                 Collector<Output>&) override {
    auto settings = context.broadcast_state(kSettings);
    if (setting.removed || setting.value.is_null()) {
      settings.remove(setting.sensor);
    } else {
      settings.put(setting.sensor, to_limit_setting(setting));
    }
  }

 private:
  /// Each side by itself: the sensor's setting, else the one for all, else the file.
  EffectiveLimits limits_for(const std::string& sensor, ReadOnlyContext& context) const {
    EffectiveLimits limits;
    if (file_.above) limits.above = Limit{*file_.above, 0};
    if (file_.below) limits.below = Limit{*file_.below, 0};
    const auto settings = context.broadcast_state(kSettings);
    for (const LimitSetting* setting : {settings.find(""), settings.find(sensor)}) {
      if (setting == nullptr) continue;
      if (setting->above) limits.above = Limit{*setting->above, setting->version};
      if (setting->below) limits.below = Limit{*setting->below, setting->version};
    }
    return limits;
  }

  /// Which limit the level is beyond; within the dead-band an alarm stays as it is.
  std::string_view side_of(double level, std::string_view before,
                           const EffectiveLimits& limits) const {
    if (limits.above && level > limits.above->value) return kAbove;
    if (limits.below && level < limits.below->value) return kBelow;
    const auto& limit = before == kAbove ? limits.above : limits.below;
    if (before.empty() || !limit) return {};
    // How far the level is back; beyond means that rounding alone does not explain it.
    const double back = std::abs(level - limit->value);
    const double magnitude = std::max(std::abs(level), std::abs(limit->value));
    const bool held = exceeds(deadband_, back, magnitude);
    return held ? (before == kAbove ? kAbove : kBelow) : std::string_view{};
  }

  Output raised(const Reading& reading, std::string_view side,
                const EffectiveLimits& limits) const {
    const Limit& limit = side == kAbove ? *limits.above : *limits.below;
    return alert(reading, AlarmState::kActive, limit,
                 "is at " + amount_text(reading.level, reading.unit) + ", " + std::string{side} +
                     " the limit of " + amount_text(limit.value, reading.unit));
  }

  Output cleared(const Reading& reading, std::string_view side,
                 const EffectiveLimits& limits) const {
    const auto& limit = side == kAbove ? limits.above : limits.below;
    const std::string level = amount_text(reading.level, reading.unit);
    return alert(reading, AlarmState::kCleared, limit,
                 limit ? "is at " + level + ", no longer " + std::string{side} + " the limit of " +
                             amount_text(limit->value, reading.unit)
                       : "is at " + level + "; the limit that it was " + std::string{side} +
                             " has been removed");
  }

  Output alert(const Reading& reading, AlarmState state, const std::optional<Limit>& limit,
               const std::string& text) const {
    Output out = alert_output(monitor_, reading, state,
                              limit ? std::optional{limit->value} : std::nullopt, text);
    if (limit) out.setting_version = limit->version;
    return out;
  }

  std::string monitor_;
  Limits file_;
  double deadband_;
  ValueState<std::string> alarm_;  // which limit the sensor is beyond; absent: none
};

constexpr std::array kOptions{
    OptionSpec{.name = "above",
               .type = OptionType::kNumber,
               .help = "levels above this raise the alarm; a setting may change it at any time",
               .unit = "the sensor's unit"},
    OptionSpec{.name = "below",
               .type = OptionType::kNumber,
               .help = "levels below this raise the alarm; a setting may change it at any time",
               .unit = "the sensor's unit"},
    OptionSpec{.name = "deadband",
               .type = OptionType::kNumber,
               .help = "how far a level must come back behind the limit to clear the alarm",
               .fallback = "0",
               .minimum = 0,
               .unit = "the sensor's unit"},
};

class ThresholdKind final : public MonitorKind {
 public:
  std::string_view name() const override { return "threshold"; }
  std::string_view help() const override {
    return "An alarm while a level is above or below a limit, which the config topic can change";
  }
  std::span<const OptionSpec> options() const override { return kOptions; }

  Status check(const Options& options) const override {
    const Limits limits = limits_of(options);
    SLUICE_RETURN_IF_ERROR(check_limits(limits));
    const double deadband = options.number("deadband");
    if (!limits.above || !limits.below || deadband < *limits.above - *limits.below) {
      return Status::ok();
    }
    return Error{ErrorCode::kInvalid, "'deadband' (" + number_text(deadband) +
                                          ") must be less than what is between 'below' and "
                                          "'above', or no level would clear an alarm"};
  }
  Result<Datum> check_setting(const Datum& value, const Options& options) const override {
    return check_limit_setting(value, limits_of(options));
  }

  Stream<Output> build(const MonitorInputs& inputs, const Options& options) const override {
    return inputs.readings.key_by(&Reading::sensor)
        .connect(inputs.settings.broadcast(kSettings))
        .process<Threshold>(inputs.name, limits_of(options), options.number("deadband"))
        .uid(inputs.name);
  }
};

}  // namespace

const MonitorKind& threshold_kind() {
  static const ThresholdKind kind;
  return kind;
}

}  // namespace sluice::water
