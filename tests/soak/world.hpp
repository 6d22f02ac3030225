// World: a private broker, the daemon, its small disk, and an ear on what it says.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "tests/soak/books.hpp"
#include "tests/support/ear.hpp"
#include "tests/support/mosquitto.hpp"
#include "tests/support/process.hpp"
#include "tests/support/small_disk.hpp"
#include "tests/support/temp_dir.hpp"

namespace sluice::soak {

using Clock = std::chrono::steady_clock;

/// What the daemon has said of itself.
struct Status {
  Clock::time_point heard;
  bool healthy{};
  std::string conditions;   ///< as JSON
  std::uint64_t waiting{};  ///< in the outbox, of all kinds
  std::uint64_t readings{};
  std::uint64_t alerts{};
  std::uint64_t duplicates{};
  std::uint64_t monitor_restarts{};
  std::uint64_t journalled{};    ///< number of the newest record
  std::uint64_t checkpointed{};  ///< of the newest one in a checkpoint
};

/// One thread, but for what says otherwise. Throws std::runtime_error.
class World {
 public:
  /// What the daemon logs is appended to `log`.
  World(std::filesystem::path sluice, std::filesystem::path log, Books& books);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Whether there is libfaketime to play a clock with.
  static bool has_clock();
  /// Sets the daemon's wall clock that far from the true time; a second later it sees it.
  void set_clock(std::chrono::seconds off);

  test::MosquittoBroker& broker() { return broker_; }
  test::SmallDisk& disk() { return disk_; }
  std::filesystem::path data() const { return folder_ / "data"; }
  std::string database() const { return (data() / "sluice.db").string(); }

  void start_daemon();
  void kill_daemon();
  /// SIGTERM; how it ended, or nothing if it does not.
  std::optional<test::ExitStatus> stop_daemon();
  void signal_daemon(int number) { daemon_->signal(number); }
  bool daemon_runs() { return daemon_ && daemon_->is_running(); }
  /// The end of its log.
  std::string last_words() const;
  /// 0 while none runs. Any thread.
  pid_t pid() const { return pid_; }
  /// When it was started. Any thread.
  Clock::time_point started() const { return started_; }

  /// The newest; nothing before the first. Any thread.
  std::optional<Status> status() const;
  /// The limit that the daemon has last said it accepted; 0 before. Any thread.
  double accepted_limit() const { return accepted_limit_; }

 private:
  std::string configuration() const;
  std::map<std::string, std::string> environment() const;
  void listen(const test::ProbeMessage& message);
  void keep_log();

  std::filesystem::path sluice_;
  std::filesystem::path log_;
  Books& books_;
  test::TempDir folder_;
  test::SmallDisk disk_;
  test::MosquittoBroker broker_;
  std::unique_ptr<test::Process> daemon_;
  std::atomic<pid_t> pid_{0};
  std::atomic<Clock::time_point> started_{};
  std::atomic<double> accepted_limit_{0};
  mutable std::mutex mutex_;
  std::optional<Status> status_;
  std::unique_ptr<test::Ear> ear_;  ///< last: it calls into the rest
};

}  // namespace sluice::soak
