// silence: an alarm when a sensor that used to send has sent nothing for a time.
#include <array>

#include "pipeline/plugin/option_text.hpp"
#include "plugins/water/kinds.hpp"
#include "plugins/water/outputs.hpp"
#include "plugins/water/wording.hpp"

namespace sluice::water {

namespace {

/// The sensor's last reading, and what is to happen if it stays the last.
struct LastSeen {
  Timestamp seen{};      ///< processing time
  Timestamp deadline{};  ///< of the pending timer, needed to delete it (JOB-14)
  bool silent{};         ///< the alarm is active
  double level{};
  std::string unit;
};
SLUICE_FIELDS(LastSeen, seen, deadline, silent, level, unit)

class Silence final : public KeyedProcessFunction<std::string, Reading, Output> {
 public:
  Silence(std::string monitor, std::int64_t after) : monitor_{std::move(monitor)}, after_{after} {}

  void open(RuntimeContext& context) override {
    last_ = context.value_state<LastSeen>({.name = "last-seen"});
  }

  void process_element(const Reading& reading, Context& context, Collector<Output>& out) override {
    TimerService& timers = context.timer_service();
    const Timestamp now = timers.current_processing_time();
    const Timestamp deadline = saturating_add(now, after_);
    const auto last = last_.value();
    if (last && last->silent) {
      out.collect(alert_output(monitor_, reading, AlarmState::kCleared, std::nullopt,
                               "sends again after " + format_duration(now - last->seen) + ": " +
                                   amount_text(reading.level, reading.unit)));
    }
    // Only one timer is ever pending: re-armed by each reading, not added to (JOB-13).
    if (last && last->deadline != deadline) {
      timers.delete_processing_time_timer(last->deadline);
    }
    timers.register_processing_time_timer(deadline);
    last_.update({now, deadline, false, reading.level, reading.unit});
  }

  void on_timer(Timestamp timestamp, OnTimerContext& context, Collector<Output>& out) override {
    auto last = last_.value();
    if (!last) return;
    last->silent = true;
    last_.update(*last);
    const Reading seen{context.current_key(), last->level, last->unit, timestamp, Quality::kGood};
    out.collect(alert_output(monitor_, seen, AlarmState::kActive, std::nullopt,
                             "has sent nothing for " + format_duration(timestamp - last->seen) +
                                 " (last level " + amount_text(last->level, last->unit) + ")"));
  }

 private:
  std::string monitor_;
  std::int64_t after_;
  ValueState<LastSeen> last_;
};

constexpr std::array kOptions{
    OptionSpec{.name = "after",
               .type = OptionType::kDuration,
               .help = "how long a sensor may send nothing, by the time readings come in",
               .fallback = "60s",
               .minimum = 1},
};

class SilenceKind final : public MonitorKind {
 public:
  std::string_view name() const override { return "silence"; }
  std::string_view help() const override {
    return "An alarm when a sensor that used to send has sent nothing for a time";
  }
  std::span<const OptionSpec> options() const override { return kOptions; }

  Stream<Output> build(const MonitorInputs& inputs, const Options& options) const override {
    return inputs.readings.key_by(&Reading::sensor)
        .process<Silence>(inputs.name, options.duration("after").count())
        .uid(inputs.name);
  }
};

}  // namespace

const MonitorKind& silence_kind() {
  static const SilenceKind kind;
  return kind;
}

}  // namespace sluice::water
