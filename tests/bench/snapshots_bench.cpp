// What a checkpoint costs the engine, what it leaves on disk, and how long a restart takes.
#include <algorithm>
#include <random>

#include "daemon/logging.hpp"
#include "storage/checkpoint_store.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/level_summary.hpp"
#include "tests/support/temp_dir.hpp"

namespace sluice::bench {

namespace {

using storage::CheckpointDelta;
using storage::CheckpointStore;

/// The state of the same job as a loop would keep and save it: raw bytes of what changed.
class SavedByHand {
 public:
  explicit SavedByHand(std::size_t keys) : changed_(keys, false) {
    for (std::size_t i = 0; i < keys; ++i) sensors_.push_back({sensor_name(i), {}});
  }
  void touch(std::size_t key) {
    if (changed_[key]) return;
    changed_[key] = true;
    changes_.push_back(key);
  }
  std::size_t save(bool full) {
    out_.clear();
    if (full) {
      for (const Sensor& sensor : sensors_) put(sensor);
    } else {
      for (const std::size_t key : changes_) put(sensors_[key]);
    }
    for (const std::size_t key : changes_) changed_[key] = false;
    changes_.clear();
    return out_.size();
  }

 private:
  struct Sensor {
    std::string key;
    double values[6];
  };
  void put(const Sensor& sensor) {
    out_ += sensor.key;
    out_.append(reinterpret_cast<const char*>(sensor.values), sizeof sensor.values);
  }
  std::vector<Sensor> sensors_;
  std::vector<bool> changed_;
  std::vector<std::size_t> changes_;
  std::string out_;
};

JobOptions tracked() {
  JobOptions options;
  options.track_changes = true;
  return options;
}

std::vector<Event> some_of_each(std::size_t count, std::size_t keys, std::mt19937_64& random) {
  std::vector<Event> events;
  std::vector<std::size_t> numbers(keys);
  for (std::size_t i = 0; i < keys; ++i) numbers[i] = i;
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(numbers[i], numbers[i + random() % (keys - i)]);
    events.push_back({sensor_name(numbers[i]), static_cast<double>(random() % 1000)});
  }
  return events;
}

std::string megabytes(std::uint64_t bytes) {
  return number(static_cast<double>(bytes) / 1e6, 2) + " MB";
}
std::string milliseconds(double seconds) { return number(seconds * 1e3, 2) + " ms"; }

void take(LevelSummaryJob& job, bool full, CheckpointDelta& delta) {
  static std::uint64_t id = 0;
  job.job().snapshot(delta, full, ++id);
}

void print_snapshot(Table& table, const std::string& figure, const std::vector<double>& own,
                    const std::vector<double>& by_hand) {
  table.print({.figure = figure,
               .ours = milliseconds(median(own)),
               .baseline = milliseconds(median(by_hand)),
               .ratio = median(by_hand) / median(own)});
}

void full_snapshot(LevelSummaryJob& job, SavedByHand& hand, const Effort& effort, Table& table,
                   CheckpointStore& store) {
  std::vector<double> own;
  std::vector<double> by_hand;
  for (int i = 0; i < effort.repetitions; ++i) {
    by_hand.push_back(seconds_of([&] { hand.save(true); }));
    CheckpointDelta delta;
    own.push_back(seconds_of([&] { take(job, true, delta); }));
  }
  print_snapshot(table, "snapshot, 100 % of " + std::to_string(effort.many_keys) + " keys", own,
                 by_hand);
  CheckpointDelta delta;
  take(job, true, delta);
  const double write = seconds_of([&] { must(store.write({1, 0, {}}, delta, {})); });
  table.print({.figure = "  to SQLite (not on the engine's thread)",
               .ours = milliseconds(write),
               .baseline = megabytes(store.bytes())});
}

void changed_snapshot(LevelSummaryJob& job, SavedByHand& hand, const Effort& effort, Table& table,
                      CheckpointStore& store) {
  const std::size_t changed = effort.many_keys / 100;
  std::mt19937_64 random{5};
  std::vector<double> own;
  std::vector<double> by_hand;
  std::uint64_t before = store.bytes();
  std::uint64_t bytes = 0;
  double write = 0;
  const int rounds = effort.repetitions * 20;
  for (int i = 0; i < rounds; ++i) {
    const auto events = some_of_each(changed, effort.many_keys, random);
    for (const Event& event : events)
      hand.touch(static_cast<std::size_t>(std::stoul(event.sensor.substr(7))));
    job.run(events);
    by_hand.push_back(seconds_of([&] { hand.save(false); }));
    CheckpointDelta delta;
    own.push_back(seconds_of([&] { take(job, false, delta); }));
    if (i != 0) continue;
    write = seconds_of([&] { must(store.write({2, 0, {}}, delta, {})); });
    bytes = store.bytes() - before;
  }
  print_snapshot(table, "snapshot, 1 % of " + std::to_string(effort.many_keys) + " keys", own,
                 by_hand);
  table.print({.figure = "  to SQLite (not on the engine's thread)",
               .ours = milliseconds(write),
               .baseline = megabytes(bytes)});
  const double pause = quantile(own, 0.99) * 1e3;
  table.print({.figure = "  pause of the engine, p99",
               .ours = number(pause, 2) + " ms",
               .baseline = milliseconds(quantile(by_hand, 0.99)),
               .goal = Goal{20, false},
               .measured = pause});
}

/// The running job is the end of it; that all parts go afterwards is not.
void restart(const std::string& path, const Effort& effort, Table& table, Log& log) {
  storage::OpenedStore opened;
  storage::LoadedCheckpoint loaded;
  std::unique_ptr<LevelSummaryJob> job;
  const double read = seconds_of([&] {
    opened = must(CheckpointStore::open(path, log));
    loaded = must(opened.store->load());
  });
  const double build = seconds_of([&] {
    JobOptions options = tracked();
    options.restore = &loaded.job;
    job = std::make_unique<LevelSummaryJob>(options);
  });
  table.print({.figure = "restart with " + std::to_string(effort.many_keys) + " keys",
               .ours = number(read + build, 2) + " s",
               .goal = Goal{3, false},
               .measured = read + build});
  table.print({.figure = "  of it: from SQLite", .ours = number(read, 2) + " s"});
}

}  // namespace

void snapshots(const Effort& effort, Table& table) {
  table.section("Checkpoints, delta + top 3 + mean; baseline: raw bytes into a buffer");
  const auto log = daemon::make_log({.level = LogLevel::kWarning});
  const test::TempDir folder;
  const std::string path = folder / "sluice.db";
  {
    auto opened = must(CheckpointStore::open(path, *log));
    LevelSummaryJob job{tracked()};
    SavedByHand hand{effort.many_keys};
    const auto first = one_of_each(effort.many_keys);
    for (int i = 0; i < 3; ++i) job.run(first);
    full_snapshot(job, hand, effort, table, *opened.store);
    changed_snapshot(job, hand, effort, table, *opened.store);
  }
  restart(path, effort, table, *log);
}

}  // namespace sluice::bench
