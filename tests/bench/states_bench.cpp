// Each kind of keyed state, without and with a time-to-live, against a hash map with the same in
// it.
#include <array>
#include <map>
#include <unordered_map>

#include "tests/bench/benchmarks.hpp"
#include "tests/bench/level_summary.hpp"
#include "tests/bench/own_process.hpp"

namespace sluice::bench {

namespace {

constexpr Timestamp kTtl = 3'600'000;

/// A state as the loop by hand keeps it; `written` is what a TTL costs there too.
template <class T>
struct Kept {
  T value{};
  Timestamp written{};
  bool present{};
};

template <class T>
class HandMap {
 public:
  HandMap(bool ttl, const Timestamp& now) : ttl_{ttl}, now_{now} {}
  /// The value of the key, a fresh one if there is none or it has expired.
  T& at(const std::string& key) {
    Kept<T>& kept = map_[key];
    if (ttl_) {
      if (kept.present && kept.written + kTtl <= now_) kept.value = T{};
      kept.written = now_;
      kept.present = true;
    }
    return kept.value;
  }

 private:
  std::unordered_map<std::string, Kept<T>> map_;
  bool ttl_;
  const Timestamp& now_;
};

std::optional<TtlConfig> ttl_of(bool on) {
  if (!on) return std::nullopt;
  return TtlConfig{.ttl = Duration{kTtl}};
}

/// One kind: a function that uses the state, and the work on what the hand-written map holds.
struct Value {
  static constexpr const char* kName = "value: read, update";
  using ByHand = double;
  static double by_hand(double& kept, double level) { return kept = kept * 0.5 + level; }

  void open(RuntimeContext& c, bool ttl) {
    state = c.value_state<double>({.name = "s", .ttl = ttl_of(ttl)});
  }
  double use(double level) {
    const double next = state.value().value_or(0.0) * 0.5 + level;
    state.update(next);
    return next;
  }
  ValueState<double> state;
};

struct List {
  static constexpr const char* kName = "list: read 3, replace";
  struct ByHand {
    std::array<double, 3> items{};
    std::uint32_t size{};
  };
  static double by_hand(ByHand& kept, double level) {
    if (kept.size < 3) {
      kept.items[kept.size++] = level;
      return level;
    }
    kept.items = {kept.items[1], kept.items[2], level};
    return kept.items[0];
  }

  void open(RuntimeContext& c, bool ttl) {
    state = c.list_state<double>({.name = "s", .ttl = ttl_of(ttl)});
  }
  double use(double level) {
    const auto items = state.get();
    if (items.size() < 3) {
      state.add(level);
      return level;
    }
    const std::array<double, 3> next{items[1], items[2], level};
    state.update(next);
    return next[0];
  }
  ListState<double> state;
};

struct Map {
  static constexpr const char* kName = "map: count of a bin (8 bins)";
  using ByHand = std::map<std::int32_t, std::int64_t>;
  static std::int32_t bin(double level) { return static_cast<std::int32_t>(level) % 8; }
  static double by_hand(ByHand& kept, double level) {
    return static_cast<double>(++kept[bin(level)]);
  }

  void open(RuntimeContext& c, bool ttl) {
    state = c.map_state<std::int32_t, std::int64_t>({.name = "s", .ttl = ttl_of(ttl)});
  }
  double use(double level) {
    const std::int64_t count = state.get(bin(level)).value_or(0) + 1;
    state.put(bin(level), count);
    return static_cast<double>(count);
  }
  MapState<std::int32_t, std::int64_t> state;
};

struct Reducing {
  static constexpr const char* kName = "reducing: add, read";
  using ByHand = double;
  static double by_hand(double& kept, double level) { return kept += level; }

  void open(RuntimeContext& c, bool ttl) {
    state = c.reducing_state<double>(
        {.name = "s", .reduce = [](double a, double b) { return a + b; }, .ttl = ttl_of(ttl)});
  }
  double use(double level) {
    state.add(level);
    return *state.get();
  }
  ReducingState<double> state;
};

struct Aggregating {
  static constexpr const char* kName = "aggregating: add, read";
  using ByHand = Mean;
  static double by_hand(Mean& kept, double level) {
    MeanOfLevels{}.add(level, kept);
    return kept.mean;
  }

  void open(RuntimeContext& c, bool ttl) {
    state = c.aggregating_state<MeanOfLevels>({.name = "s", .function = {}, .ttl = ttl_of(ttl)});
  }
  double use(double level) {
    state.add(level);
    return *state.get();
  }
  AggregatingState<double, double> state;
};

template <class Kind>
class UseState final : public KeyedProcessFunction<std::string, Event, double> {
 public:
  explicit UseState(bool ttl) : ttl_{ttl} {}
  void open(RuntimeContext& context) override { kind_.open(context, ttl_); }
  void process_element(const Event& event, Context&, Collector<double>& out) override {
    out.collect(kind_.use(event.level));
  }

 private:
  Kind kind_;
  bool ttl_;
};

template <class Kind>
class StateJob {
 public:
  explicit StateJob(bool ttl) {
    environment_.from_source<Event>("events")
        .key_by(&Event::sensor)
        .process<UseState<Kind>>(ttl)
        .uid("state")
        .sink_to([this](double value) { total_ += value; });
    job_ = must(Job::start(environment_, {}));
  }
  void run(const std::vector<Event>& events) {
    job_->advance_processing_time(++now_);
    const auto source = job_->source<Event>("events");
    for (const Event& event : events) source.emit(event);
    keep(total_);
  }

 private:
  Environment environment_;
  Timestamp now_{0};
  double total_{0};
  std::unique_ptr<Job> job_;
};

template <class Kind>
class HandLoop {
 public:
  explicit HandLoop(bool ttl) : map_{ttl, now_} {}
  void run(const std::vector<Event>& events) {
    ++now_;
    for (const Event& event : events) {
      total_ += Kind::by_hand(map_.at(event.sensor), event.level);
    }
    keep(total_);
  }

 private:
  Timestamp now_{0};
  double total_{0};
  HandMap<typename Kind::ByHand> map_;
};

template <class Kind>
void kind(std::size_t keys, const Effort& effort, Table& table) {
  const auto first = one_of_each(keys);
  const auto events = random_events(effort.events, keys);
  HandLoop<Kind> plain_loop{false};
  HandLoop<Kind> ttl_loop{true};
  StateJob<Kind> plain_job{false};
  StateJob<Kind> ttl_job{true};
  for (int i = 0; i < 3; ++i) {
    plain_loop.run(first);
    ttl_loop.run(first);
    plain_job.run(first);
    ttl_job.run(first);
  }
  const std::string name = std::string{Kind::kName} + ", " + std::to_string(keys) + " keys";
  const auto plain = compare(
      effort.repetitions, [&] { plain_loop.run(events); }, [&] { plain_job.run(events); });
  table.print({.figure = name,
               .ours = nanoseconds(plain.ours, events.size()),
               .baseline = nanoseconds(plain.baseline, events.size()),
               .ratio = plain.ratio});
  const auto ttl = compare(
      effort.repetitions, [&] { ttl_loop.run(events); }, [&] { ttl_job.run(events); });
  table.print({.figure = "  with TTL",
               .ours = nanoseconds(ttl.ours, events.size()),
               .baseline = nanoseconds(ttl.baseline, events.size()),
               .ratio = ttl.ratio});
  const auto cost = compare(
      effort.repetitions, [&] { plain_job.run(events); }, [&] { ttl_job.run(events); });
  const double percent = (1 / cost.ratio - 1) * 100;
  table.print({.figure = "  what the TTL costs",
               .ours = number(percent, 0) + " %",
               .goal = Goal{30, false},
               .measured = percent});
}

}  // namespace

void states(const Effort& effort, Table& table) {
  table.section("State kinds (per event)");
  for (const std::size_t keys : effort.key_counts) {
    in_own_process(table, [&] { kind<Value>(keys, effort, table); });
    in_own_process(table, [&] { kind<List>(keys, effort, table); });
    in_own_process(table, [&] { kind<Map>(keys, effort, table); });
    in_own_process(table, [&] { kind<Reducing>(keys, effort, table); });
    in_own_process(table, [&] { kind<Aggregating>(keys, effort, table); });
  }
}

}  // namespace sluice::bench
