#include "daemon/engine/gap_watch.hpp"

#include "daemon/engine/sequence.hpp"
#include "pipeline/graph/stream.hpp"

namespace sluice::daemon {

namespace {

class FindGaps final : public KeyedProcessFunction<std::string, SequenceNumber, Gap> {
 public:
  explicit FindGaps(std::string source) : source_{std::move(source)} {}

  void open(RuntimeContext& context) override {
    sequence_ = context.value_state<SequenceState>({.name = "sequence"});
  }

  void process_element(const SequenceNumber& next, Context& context, Collector<Gap>& out) override {
    auto state = sequence_.value();
    if (!state) {
      sequence_.update(first_number(next.number));
      return;
    }
    TimerService& timers = context.timer_service();
    const auto missing = next_number(*state, next.number, timers.current_processing_time());
    tell(missing, next.sensor, out);
    set_timer(*state, timers);
    sequence_.update(*state);
  }

  void on_timer(Timestamp timestamp, OnTimerContext& context, Collector<Gap>& out) override {
    auto state = sequence_.value();
    if (!state) return;
    state->deadline.reset();
    tell(overdue(*state, timestamp), context.current_key(), out);
    set_timer(*state, context.timer_service());
    sequence_.update(*state);
  }

 private:
  void tell(const std::vector<OpenGap>& missing, const std::string& sensor,
            Collector<Gap>& out) const {
    for (const OpenGap& gap : missing) out.collect({source_, sensor, gap.from, gap.to});
  }

  /// One for the oldest, and none where nothing is open: readings in order set no timers.
  static void set_timer(SequenceState& state, TimerService& timers) {
    std::optional<Timestamp> wanted;
    for (const OpenGap& gap : state.open) {
      const Timestamp due = saturating_add(gap.opened, kOvertakingTime);
      if (!wanted || due < *wanted) wanted = due;
    }
    if (wanted == state.deadline) return;
    if (state.deadline) timers.delete_processing_time_timer(*state.deadline);
    if (wanted) timers.register_processing_time_timer(*wanted);
    state.deadline = wanted;
  }

  std::string source_;
  ValueState<SequenceState> sequence_;
};

}  // namespace

bool is_numbered(const SourceConfig& source) { return source.options.has("sequence"); }

std::string numbers_source(const std::string& source) { return "numbers." + source; }

void build_gap_watch(Environment& environment, const Config& config,
                     std::function<void(const Gap&)> found) {
  for (const auto& source : config.sources) {
    if (!is_numbered(source)) continue;
    environment.from_source<SequenceNumber>(numbers_source(source.name))
        .key_by(&SequenceNumber::sensor)
        .process<FindGaps>(source.name)
        .uid("$gaps." + source.name)
        .sink_to(found);
  }
}

}  // namespace sluice::daemon
