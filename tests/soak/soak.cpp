#include "tests/soak/soak.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "tests/soak/bounds.hpp"
#include "tests/soak/faults.hpp"

namespace sluice::soak {

using namespace std::chrono_literals;

namespace {

/// Of the time; then come only faults that the daemon's process survives, so that one grows old
/// enough for a leak to show.
constexpr double kMayDie = 0.4;

}  // namespace

Soak::Soak(Options options)
    : options_{std::move(options)},
      random_{options_.seed},
      world_{options_.sluice, options_.out / "daemon.log", books_},
      voice_{world_, books_},
      load_{world_.broker().uri(), books_, options_.seed, options_.rate},
      sampler_{world_, books_, world_.broker().uri(), options_.minutes < 1 ? 250ms : 1000ms},
      pace_{options_.minutes < 1 ? 0.3 : 1} {}

void Soak::require(bool promise, const std::string& otherwise) {
  if (!promise) report_.violations.push_back(otherwise);
}

Report Soak::run() {
  world_.start_daemon();
  if (!voice_.wait_for_echo()) throw std::runtime_error{"no echo: " + world_.last_words()};
  load_.start();
  strike_until_over();
  load_.stop();
  settle();
  restart_in_peace();
  judge();
  return std::move(report_);
}

void Soak::strike_until_over() {
  begin_ = Clock::now();
  const auto end = begin_ + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double, std::ratio<60>>{options_.minutes});
  try {
    while (Clock::now() < end) strike(end);
  } catch (...) {
    world_.broker().start();  // or the load would wait for it for ever
    throw;
  }
}

void Soak::strike(Clock::time_point end) {
  Stage stage{world_, load_, voice_, random_, pace_, report_.violations, clock_};
  voice_.set_limit(100 + static_cast<double>(random_() % 900));
  stage.pause(1000, 12000);
  if (Clock::now() >= end) return;
  if (!world_.daemon_runs()) {
    require(false, "the daemon ended by itself: " + world_.last_words());
    world_.kill_daemon();
    world_.start_daemon();
  }
  const bool may_die = Clock::now() < begin_ + (end - begin_) * kMayDie;
  const Fault* fault = nullptr;
  do {
    fault = &faults()[random_() % faults().size()];
  } while (!fault->survived && !may_die);
  const double from = sampler_.seconds();
  const pid_t before = world_.pid();
  fault->strike(stage);
  if (world_.pid() != before) ++report_.processes;
  report_.blows.push_back({fault->name, from, sampler_.seconds()});
}

void Soak::settle() {
  require(voice_.wait_for_echo(), "the daemon does not get through: " + world_.last_words());
  const bool empty = wait_until(
      [&] {
        const auto status = world_.status();
        return status && status->waiting == 0;
      },
      1min);
  require(empty, "messages are left in the outbox");
  require(voice_.wait_until_healthy(), "a condition is left");
  const auto status = world_.status();
  require(status && status->healthy, "condition: " + (status ? status->conditions : "no status"));
  if (!status) return;
  report_.duplicates = status->duplicates;
  require(status->monitor_restarts == 0, "a monitor failed");
  require(world_.accepted_limit() == voice_.limit(), "the last setting was not accepted");
}

void Soak::restart_in_peace() {
  const auto orderly = test::ExitStatus{0, {}};
  require(world_.stop_daemon() == orderly, "the daemon does not end well");
  world_.start_daemon();
  require(voice_.wait_for_checkpoint(), "no checkpoint after the last restart");
  require(voice_.wait_until_healthy(), "not healthy after the last restart");
  Sample sample;
  // Renewed with the first checkpoint, the copy lets the old journal go.
  const bool small = wait_until(
      [&] {
        measure_files(world_.data(), sample);
        return sample.journal <= kMostJournalAfterRestart;
      },
      10s);
  report_.last_journal = sample.journal;
  require(small, "the journal is not cut after a restart");
  sampler_.stop();
  require(world_.stop_daemon() == orderly, "the daemon does not end well");
}

void Soak::judge() {
  report_.processes += 2;  // the first one and the last one
  report_.verdict = books_.compare(counts_in(world_.database()));
  report_.memory = look_at_memory(sampler_.samples());
  for (const Sample& sample : sampler_.samples()) {
    report_.most_journal = std::max(report_.most_journal, sample.journal);
    report_.most_database = std::max(report_.most_database, sample.database);
    report_.most_files = std::max(report_.most_files, sample.files);
    report_.most_threads = std::max(report_.most_threads, sample.threads);
    if (sample.status)
      report_.most_waiting = std::max(report_.most_waiting, sample.status->waiting);
  }
  report_.no_plot = write_record(options_.out, sampler_.samples(), report_.blows);
  check_bounds(report_);
}

}  // namespace sluice::soak
