// Broadcast state, side outputs and two inputs, against loops that do the same work.
#include <map>
#include <unordered_map>

#include "tests/bench/benchmarks.hpp"
#include "tests/bench/level_summary.hpp"

namespace sluice::bench {

namespace {

constexpr int kRules = 100;

struct Rule {
  std::int32_t station{};
  double limit{};
};

std::int32_t station_of(const Event& event) {
  return static_cast<std::int32_t>(event.level) % kRules;
}
double limit_of(std::int32_t station) { return 5.0 * station; }

const BroadcastStateDescriptor<std::int32_t, double>& rules() {
  static const BroadcastStateDescriptor<std::int32_t, double> descriptor{"rules"};
  return descriptor;
}

/// How often each sensor was above the limit of the station it reports for.
class CountAbove final : public KeyedBroadcastProcessFunction<std::string, Event, Rule, double> {
 public:
  void open(RuntimeContext& context) override {
    count_ = context.value_state<double>({.name = "count"});
  }
  void process_element(const Event& event, ReadOnlyContext& context,
                       Collector<double>& out) override {
    const auto* limit = context.broadcast_state(rules()).find(station_of(event));
    const double above = limit != nullptr && event.level > *limit ? 1.0 : 0.0;
    const double count = count_.value().value_or(0.0) + above;
    count_.update(count);
    out.collect(count);
  }
  void process_broadcast_element(const Rule& rule, Context& context, Collector<double>&) override {
    context.broadcast_state(rules()).put(rule.station, rule.limit);
  }

 private:
  ValueState<double> count_;
};

void broadcast(std::size_t keys, const Effort& effort, Table& table) {
  const auto first = one_of_each(keys);
  const auto events = random_events(effort.events, keys);
  double total = 0;

  Environment environment;
  const auto settings = environment.from_source<Rule>("rules").broadcast(rules());
  environment.from_source<Event>("events")
      .key_by(&Event::sensor)
      .connect(settings)
      .process<CountAbove>()
      .uid("above")
      .sink_to([&](double count) { total += count; });
  const auto job = must(Job::start(environment, {}));

  std::map<std::int32_t, double> limits;
  std::unordered_map<std::string, double> counts;
  for (std::int32_t station = 0; station < kRules; ++station) {
    job->emit("rules", Rule{station, limit_of(station)});
    limits[station] = limit_of(station);
  }
  double hand_total = 0;
  const auto by_hand = [&](const std::vector<Event>& input) {
    for (const Event& event : input) {
      const auto limit = limits.find(station_of(event));
      double& count = counts[event.sensor];
      if (limit != limits.end() && event.level > limit->second) count += 1;
      hand_total += count;
    }
    keep(hand_total);
  };
  const auto ours = [&](const std::vector<Event>& input) {
    const auto source = job->source<Event>("events");
    for (const Event& event : input) source.emit(event);
    keep(total);
  };
  by_hand(first);
  ours(first);
  const auto result = compare(
      effort.repetitions, [&] { by_hand(events); }, [&] { ours(events); });
  table.print({.figure = "broadcast look-up, 100 rules, " + std::to_string(keys) + " keys",
               .ours = nanoseconds(result.ours, events.size()),
               .baseline = nanoseconds(result.baseline, events.size()),
               .ratio = result.ratio});
}

const OutputTag<double>& high_levels() {
  static const OutputTag<double> tag{"high"};
  return tag;
}

/// The change since the last level; half of the levels go to the side output as well.
class SplitHigh final : public KeyedProcessFunction<std::string, Event, double> {
 public:
  void open(RuntimeContext& context) override {
    last_ = context.value_state<double>({.name = "last"});
  }
  void process_element(const Event& event, Context& context, Collector<double>& out) override {
    const double last = last_.value().value_or(event.level);
    last_.update(event.level);
    if (event.level >= 500) context.output(high_levels(), event.level);
    out.collect(event.level - last);
  }

 private:
  ValueState<double> last_;
};

void side_output(std::size_t keys, const Effort& effort, Table& table) {
  const auto first = one_of_each(keys);
  const auto events = random_events(effort.events, keys);
  double total = 0;
  double high = 0;

  Environment environment;
  const auto split = environment.from_source<Event>("events")
                         .key_by(&Event::sensor)
                         .process<SplitHigh>()
                         .uid("split");
  split.sink_to([&](double change) { total += change; });
  split.side_output(high_levels()).sink_to([&](double level) { high += level; });
  const auto job = must(Job::start(environment, {}));

  struct Last {
    double level{};
    bool known{};
  };
  std::unordered_map<std::string, Last> lasts;
  double hand_total = 0;
  double hand_high = 0;
  const auto by_hand = [&](const std::vector<Event>& input) {
    for (const Event& event : input) {
      Last& last = lasts[event.sensor];
      hand_total += last.known ? event.level - last.level : 0.0;
      last = {event.level, true};
      if (event.level >= 500) hand_high += event.level;
    }
    keep(hand_total + hand_high);
  };
  const auto ours = [&](const std::vector<Event>& input) {
    const auto source = job->source<Event>("events");
    for (const Event& event : input) source.emit(event);
    keep(total + high);
  };
  by_hand(first);
  ours(first);
  const auto result = compare(
      effort.repetitions, [&] { by_hand(events); }, [&] { ours(events); });
  table.print({.figure = "side output, half of all, " + std::to_string(keys) + " keys",
               .ours = nanoseconds(result.ours, events.size()),
               .baseline = nanoseconds(result.baseline, events.size()),
               .ratio = result.ratio});
}

/// Two inputs in turns, one value for both of a key.
class Balance final : public KeyedCoProcessFunction<std::string, Event, Event, double> {
 public:
  void open(RuntimeContext& context) override {
    sum_ = context.value_state<double>({.name = "sum"});
  }
  void process_element1(const Event& event, Context&, Collector<double>& out) override {
    add(event.level, out);
  }
  void process_element2(const Event& event, Context&, Collector<double>& out) override {
    add(-event.level, out);
  }

 private:
  void add(double amount, Collector<double>& out) {
    const double sum = sum_.value().value_or(0.0) + amount;
    sum_.update(sum);
    out.collect(sum);
  }
  ValueState<double> sum_;
};

void two_inputs(std::size_t keys, const Effort& effort, Table& table) {
  const auto first = one_of_each(keys);
  const auto events = random_events(effort.events, keys);
  double total = 0;

  Environment environment;
  const auto in = environment.from_source<Event>("in").key_by(&Event::sensor);
  const auto out = environment.from_source<Event>("out").key_by(&Event::sensor);
  in.connect(out).process<Balance>().uid("balance").sink_to([&](double sum) { total += sum; });
  const auto job = must(Job::start(environment, {}));

  std::unordered_map<std::string, double> sums;
  double hand_total = 0;
  const auto by_hand = [&](const std::vector<Event>& input) {
    bool second = false;
    for (const Event& event : input) {
      hand_total += sums[event.sensor] += second ? -event.level : event.level;
      second = !second;
    }
    keep(hand_total);
  };
  const auto ours = [&](const std::vector<Event>& input) {
    const auto first_source = job->source<Event>("in");
    const auto second_source = job->source<Event>("out");
    bool second = false;
    for (const Event& event : input) {
      (second ? second_source : first_source).emit(event);
      second = !second;
    }
    keep(total);
  };
  by_hand(first);
  ours(first);
  const auto result = compare(
      effort.repetitions, [&] { by_hand(events); }, [&] { ours(events); });
  table.print({.figure = "two inputs, one state, " + std::to_string(keys) + " keys",
               .ours = nanoseconds(result.ours, events.size()),
               .baseline = nanoseconds(result.baseline, events.size()),
               .ratio = result.ratio});
}

}  // namespace

void streams(const Effort& effort, Table& table) {
  table.section("Streams (per event)");
  for (const std::size_t keys : effort.key_counts) {
    broadcast(keys, effort, table);
    side_output(keys, effort, table);
    two_inputs(keys, effort, table);
  }
}

}  // namespace sluice::bench
