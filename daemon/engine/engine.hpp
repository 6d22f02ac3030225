// Engine: the thread that drives the Machine: takes records in order, hands on what they cause,
// ticks the clock when a timer is due, takes checkpoints, and recovers from failing monitors.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "daemon/config/config.hpp"
#include "daemon/engine/checkpointer.hpp"
#include "daemon/engine/counters.hpp"
#include "daemon/engine/machine.hpp"
#include "daemon/engine/syncer.hpp"
#include "daemon/site_clock.hpp"
#include "pipeline/base/log.hpp"
#include "storage/intake.hpp"
#include "storage/journal/holes.hpp"
#include "storage/journal/journal.hpp"
#include "storage/journal/marks.hpp"
#include "storage/outbox.hpp"

namespace sluice::daemon {

/// What the engine works with; all outlives it.
struct EngineParts {
  const Config& config;
  const Registry& registry;
  storage::Journal& journal;
  storage::Intake& intake;
  storage::Outbox& outbox;
  Checkpointer& checkpointer;
  Syncer* syncer;  ///< nullptr unless journal.sync = "alert"
  SiteClock& clock;
  Counters& counters;
  Log& log;
};

class Engine {
 public:
  explicit Engine(EngineParts parts) : parts_{parts}, config_{parts.config} {}
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Restores the last checkpoint and lines up the journal behind it. Before start(), and before
  /// anything is appended to the journal.
  Status restore();
  /// Starts the thread, which first catches up with the journal.
  void start();
  /// The journal as it was at the start has been processed; alerts may go out from now on.
  bool caught_up() const { return caught_up_; }
  /// Delays (silence, time-to-live) that ran out while the daemon was down are looked at only now:
  /// what the broker has kept meanwhile must be in first, or every sensor would seem silent. Called
  /// when it is; calling it again does nothing. Any thread.
  void release_hold() { release_hold_ = true; }
  /// Faults of the daemon itself that were said and not taken back, by their codes; once caught up.
  /// Any thread.
  const std::map<std::string, std::string>& faults_found() const { return faults_found_; }
  /// The engine has given up; it processes nothing any more.
  bool failed() const { return failed_; }

  /// Somebody asked for the status over the command topic since the last call. Any thread.
  bool take_status_request() { return status_wanted_.exchange(false); }

  /// Processes what has come in, for a second at most (the rest waits in the journal), then ends
  /// the thread with a last checkpoint. Idempotent.
  void stop();

 private:
  void run() noexcept;
  void loop();
  bool must_wait_for_publisher();
  bool may_end() const;
  void note_nothing_waits();
  Duration patience() const;
  void handle(const storage::JournalRecord& record);
  void apply(const storage::JournalRecord& record);
  void note_caught_up();
  void hold_delays();
  void release_hold_if_told();
  void tick_if_due();
  void checkpoint_if_due();
  bool makes_up_for(const storage::JournalHealth& journal) const;
  void take_checkpoint();
  void carry_out(const std::vector<std::string>& commands);

  // Recovery from failing monitors (engine_recovery.cpp).
  void recover_from(const storage::JournalRecord& record, const OperatorFailure& failure);
  Result<storage::LoadedCheckpoint> load_machine();
  /// What the journal says behind the checkpoint about the records to come.
  struct Foreknown {
    std::vector<storage::SetAside> set_aside;
    std::vector<PublicationId> delivered;
    storage::JournalHoles holes;
  };
  /// `complete`: the first record is known to be the one after that.
  Foreknown read_ahead(std::uint64_t after, bool complete = true) const;
  void tell_what_is_missing(const storage::JournalHoles& holes);
  Status replay_through(std::uint64_t through);
  void set_aside(const storage::JournalRecord& record, const std::string& monitor);
  void suspend(const std::string& monitor);
  void back_off() const;

  EngineParts parts_;
  Config config_;  ///< without the monitors that are suspended; the machine refers to it
  std::unique_ptr<Machine> machine_;
  std::vector<Publication> out_;
  bool alerted_{false};            ///< alerts were made since there was room for them
  std::uint64_t position_{0};      ///< last record processed
  std::uint64_t caught_up_at_{0};  ///< last record of the journal as found at the start
  std::map<std::string, std::string> faults_found_;  ///< written before caught_up_
  std::uint64_t tick_sequence_{0};  ///< the tick in the journal that has not come back yet, or 0

  std::uint64_t checkpoint_id_{0};
  std::uint64_t checkpoint_position_{0};
  std::uint64_t losses_made_up_{0};       ///< of the journal, for which it was taken
  std::uint64_t checkpoint_unstored_{0};  ///< records that only it has
  std::uint64_t checkpoint_bytes_{0};     ///< journal bytes written when it was taken
  std::chrono::steady_clock::time_point checkpoint_at_{std::chrono::steady_clock::now()};
  std::chrono::steady_clock::time_point next_look_{};  ///< whether one is due
  std::uint64_t restored_from_{0};                     ///< the checkpoint of the start
  std::uint64_t replayed_{0};                          ///< records behind it, so far
  std::chrono::steady_clock::time_point restoring_since_{};
  bool checkpoint_wanted_{false};

  std::uint64_t failing_sequence_{0};
  std::string failing_monitor_;
  int failures_{0};  ///< in a row, of that monitor on that record
  std::uint32_t attempt_{0};

  std::atomic<bool> release_hold_{false};
  std::atomic<bool> caught_up_{false};
  std::atomic<bool> failed_{false};
  std::atomic<bool> status_wanted_{false};
  std::atomic<std::uint64_t> end_after_{0};       ///< stop() was called: the last record to process
  std::chrono::steady_clock::time_point end_by_;  ///< written before end_after_
  std::thread thread_;
};

}  // namespace sluice::daemon
