// Timers with 100,000 pending, through a job, against a bare binary heap without set or deletion.
#include <optional>
#include <queue>
#include <random>
#include <unordered_map>
#include <vector>

#include "pipeline/timers/timer_queue.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/level_summary.hpp"

namespace sluice::bench {

namespace {

constexpr std::size_t kPending = 100'000;
constexpr Timestamp kSpread = 1'000'000;  // ms over which pending timers lie

struct Arm {
  std::int64_t key{};
  Timestamp at{};
  Timestamp instead_of{-1};  ///< a timer to delete first
};

class ArmTimers final : public KeyedProcessFunction<std::int64_t, Arm, double> {
 public:
  void process_element(const Arm& arm, Context& context, Collector<double>&) override {
    auto& timers = context.timer_service();
    if (arm.instead_of >= 0) timers.delete_event_time_timer(arm.instead_of);
    timers.register_event_time_timer(arm.at);
  }
  void on_timer(Timestamp at, OnTimerContext&, Collector<double>& out) override {
    out.collect(static_cast<double>(at));
  }
};

class TimerJob {
 public:
  TimerJob() {
    environment_.from_source<Arm>("arms")
        .key_by(&Arm::key)
        .process<ArmTimers>()
        .uid("timers")
        .sink_to([this](double at) { total_ += at; });
    job_ = must(Job::start(environment_, {}));
    source_ = job_->source<Arm>("arms");
  }
  void arm(const Arm& arm) { source_->emit(arm); }
  void advance(Timestamp now) { job_->emit_watermark("arms", now); }
  double total() const { return total_; }

 private:
  Environment environment_;
  double total_{0};
  std::unique_ptr<Job> job_;
  std::optional<SourceHandle<Arm>> source_;
};

struct HeapTimer {
  Timestamp at;
  std::int64_t key;
  bool operator<(const HeapTimer& other) const { return at > other.at; }
};

/// Each round arms as many timers as fire in it, so that kPending stay pending.
class Rounds {
 public:
  explicit Rounds(std::size_t count) {
    std::uniform_int_distribution<Timestamp> spread{1, 2 * kSpread};
    std::uniform_int_distribution<std::int64_t> key{0, kPending - 1};
    for (std::size_t i = 0; i < count; ++i) arms_.push_back({key(random_), spread(random_)});
  }
  const std::vector<Arm>& arms() const { return arms_; }

 private:
  std::mt19937_64 random_{7};
  std::vector<Arm> arms_;
};

constexpr std::size_t kRound = 100;
/// In this time about kRound of kPending timers, spread evenly over 2 kSpread, fire.
constexpr Timestamp kStep = kSpread * kRound / kPending;

/// What one would write without a framework: a heap, and where keys are names, a look-up.
class HandHeap {
 public:
  explicit HandHeap(bool look_up) : look_up_{look_up} {}
  void run(const std::vector<Arm>& arms) {
    std::size_t in_round = 0;
    for (const Arm& arm : arms) {
      const std::int64_t key =
          look_up_ ? numbers_.try_emplace(arm.key, arm.key).first->second : arm.key;
      heap_.push({now_ + arm.at, key});
      if (++in_round % kRound == 0) fire();
    }
    keep(total_);
  }

 private:
  void fire() {
    now_ += kStep;
    for (; !heap_.empty() && heap_.top().at <= now_; heap_.pop()) {
      total_ += static_cast<double>(heap_.top().at);
    }
  }

  bool look_up_;
  std::unordered_map<std::int64_t, std::int64_t> numbers_;
  std::priority_queue<HeapTimer> heap_;
  double total_{0};
  Timestamp now_{0};
};

/// The runtime's queue alone, with keys that are there already.
class QueueRun {
 public:
  QueueRun() {
    for (std::size_t i = 0; i < kPending; ++i) {
      indexes_.push_back(keys_.intern(Datum{static_cast<std::int64_t>(i)}));
      keys_.retain(indexes_.back());
    }
  }
  void run(const std::vector<Arm>& arms) {
    std::size_t in_round = 0;
    for (const Arm& arm : arms) {
      queue_.add({now_ + arm.at, indexes_[static_cast<std::size_t>(arm.key)]});
      if (++in_round % kRound == 0) fire();
    }
    keep(total_);
  }

 private:
  void fire() {
    now_ += kStep;
    for (const auto* next = queue_.earliest(); next != nullptr && next->at <= now_;
         next = queue_.earliest()) {
      total_ += static_cast<double>(queue_.take_earliest().at);
    }
  }

  detail::TypedKeySpace<std::int64_t> keys_;
  std::vector<detail::KeyIndex> indexes_;
  detail::TimerQueue queue_{keys_};
  double total_{0};
  Timestamp now_{0};
};

void fire_queue(const Effort& effort, Table& table) {
  const Rounds rounds{effort.events};
  HandHeap heap{false};
  QueueRun queue;
  heap.run(rounds.arms());
  queue.run(rounds.arms());
  const auto result = compare(
      effort.repetitions, [&] { heap.run(rounds.arms()); }, [&] { queue.run(rounds.arms()); });
  table.print({.figure = "register + fire, the queue alone",
               .ours = nanoseconds(result.ours, effort.events),
               .baseline = nanoseconds(result.baseline, effort.events),
               .ratio = result.ratio,
               .goal = Goal{0.5}});
}

void fire_job(const Effort& effort, Table& table) {
  const Rounds rounds{effort.events};
  HandHeap heap{true};
  TimerJob job;
  Timestamp now = 0;
  const auto ours = [&] {
    std::size_t in_round = 0;
    for (const Arm& arm : rounds.arms()) {
      job.arm({arm.key, now + arm.at});
      if (++in_round % kRound != 0) continue;
      now += kStep;
      job.advance(now);
    }
    keep(job.total());
  };
  heap.run(rounds.arms());
  ours();
  const auto result = compare(
      effort.repetitions, [&] { heap.run(rounds.arms()); }, ours);
  const double cost = result.ours * 1e9 / static_cast<double>(effort.events);
  table.print({.figure = "register + fire, in a job",
               .ours = number(cost) + " ns",
               .baseline = nanoseconds(result.baseline, effort.events),
               .ratio = result.ratio,
               .goal = Goal{200, false},
               .measured = cost});
}

/// A monitor that re-arms its timer with each reading. By hand: the heap keeps what is outdated,
/// and an array by key says what counts.
void rearm(const Effort& effort, Table& table) {
  const Rounds rounds{effort.events};
  std::priority_queue<HeapTimer> heap;
  std::vector<Timestamp> armed(kPending, 0);
  double heap_total = 0;
  Timestamp heap_now = 0;
  const auto by_hand = [&] {
    for (const Arm& arm : rounds.arms()) {
      ++heap_now;
      const auto key = static_cast<std::size_t>(arm.key);
      armed[key] = heap_now + kSpread;
      heap.push({armed[key], arm.key});
      if (heap_now % static_cast<Timestamp>(kRound) != 0) continue;
      for (; !heap.empty() && heap.top().at <= heap_now; heap.pop()) {
        const auto due = static_cast<std::size_t>(heap.top().key);
        if (armed[due] == heap.top().at) heap_total += static_cast<double>(heap.top().at);
      }
    }
    keep(heap_total);
  };
  TimerJob job;
  std::vector<Timestamp> last(kPending, -1);
  Timestamp now = 0;
  const auto ours = [&] {
    for (const Arm& arm : rounds.arms()) {
      ++now;
      const auto key = static_cast<std::size_t>(arm.key);
      job.arm({arm.key, now + kSpread, last[key]});
      last[key] = now + kSpread;
      if (now % static_cast<Timestamp>(kRound) == 0) job.advance(now);
    }
    keep(job.total());
  };
  by_hand();
  ours();
  const auto result = compare(effort.repetitions, by_hand, ours);
  table.print({.figure = "delete + register (re-arm)",
               .ours = nanoseconds(result.ours, effort.events),
               .baseline = nanoseconds(result.baseline, effort.events),
               .ratio = result.ratio});
}

}  // namespace

void timers(const Effort& effort, Table& table) {
  table.section("Timers, 100,000 pending (per timer); baseline: std::priority_queue");
  fire_queue(effort, table);
  fire_job(effort, table);
  rearm(effort, table);
}

}  // namespace sluice::bench
