// Checkpointer: writes checkpoints on a thread of its own, so the engine never waits for the disk,
// and keeps the database in order: tries again what failed, writes a damaged one anew.
//
// The engine hands over what changed and goes on. A checkpoint that could not be written is kept,
// tried again by itself, and goes out with the next one. If too much is kept that way, or the
// database is damaged, the changes are dropped and the engine is asked for all of its state.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "pipeline/base/log.hpp"
#include "storage/checkpoint_store.hpp"
#include "storage/journal/journal.hpp"

namespace sluice::daemon {

struct CheckpointerStats {
  std::uint64_t written{0};
  std::uint64_t failed{0};
  std::string last_error;          ///< empty while all is well
  Timestamp last_taken_at{0};      ///< of the newest durable one
  std::uint64_t last_sequence{0};  ///< its journal position
  std::int64_t last_duration_ms{0};
  std::string notice;        ///< the database was damaged or gone, until it is in order again
  std::uint64_t rebuilt{0};  ///< how often it was written anew while running
};

struct CheckpointerOptions {
  std::string path;                       ///< of the database
  storage::DatabaseOptions database{};    ///< for when it is written anew
  std::chrono::milliseconds retry{2000};  ///< between attempts to write or to open
  std::chrono::milliseconds look{2000};   ///< how often to see whether the database is still there
  /// Rows of changes that may wait for the disk. A state of more rows than that may keep twice as
  /// many as it has.
  std::size_t most_rows{200'000};
};

/// The engine's thread, unless said otherwise.
class Checkpointer {
 public:
  /// `opened` as CheckpointStore::open gave it; or without a store, and with the reason as its
  /// notice: then nothing is written, and it is tried whether the database can be opened again.
  /// `journal` and `log` outlive it.
  Checkpointer(CheckpointerOptions options, storage::OpenedStore opened, storage::Journal& journal,
               Log& log);
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  /// False: there is no database to write to, and what load() gives is from the copy.
  bool has_store() const { return has_store_; }
  /// There was none, and now it can be opened: to be done by a new start. Any thread.
  bool store_is_back() const;

  /// What to go on from: the database's checkpoint, or the copy's while that cannot be used.
  /// Between discard_unwritten() or the start and the next submit().
  Result<storage::LoadedCheckpoint> load();

  /// True while a checkpoint is being written.
  bool busy() const;
  /// The next one must be a full one.
  bool wants_full() const;
  /// Only while not busy(). `full`: nothing of earlier ones is needed.
  void submit(std::uint64_t id, storage::CheckpointMeta meta, storage::CheckpointDelta delta,
              std::vector<Publication> outbox, bool full = false);
  /// The newest checkpoint that became durable since the last call.
  std::optional<std::uint64_t> take_completed();
  /// Waits until what was submitted is written or has failed.
  void wait_until_idle();
  /// The same; and changes that could not be written are void: the state goes back to load().
  void discard_unwritten();

  /// Any thread.
  CheckpointerStats stats() const;

 private:
  struct Work {
    std::uint64_t id{};
    storage::CheckpointMeta meta;
    storage::CheckpointDelta delta;
    std::vector<Publication> outbox;
    bool full{};
  };

  void run();
  void look_for_store();
  void look_at_store();
  void note_damage(const Error& error);
  void write(Work& work);
  Status write_or_rebuild(Work& work);
  Status rebuild(Work& work);
  void note_written(const Work& work, Duration took);
  void note_failed(Work& work, const Error& error);
  void after_write(const Work& work);
  void renew_copy();

  const CheckpointerOptions options_;
  storage::Journal& journal_;
  Log& log_;
  bool has_store_{};

  // The thread's, or under the rules of load().
  std::mutex store_mutex_;  ///< between load() and the looks; taken before mutex_
  std::unique_ptr<storage::CheckpointStore> store_;
  std::string damage_;  ///< why the database cannot be written to any more; empty: it can
  bool reopen_{false};  ///< before the next attempt
  std::optional<std::chrono::steady_clock::time_point> copied_at_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Work> work_;
  std::optional<Work> unwritten_;  ///< failed, for the next attempt
  std::optional<std::uint64_t> completed_;
  bool wants_full_{false};
  std::size_t full_rows_{0};  ///< of the last full one
  bool store_is_back_{false};
  CheckpointerStats stats_;
  std::chrono::steady_clock::time_point noticed_at_;
  bool in_order_{true};  ///< a checkpoint and a copy were written since the notice
  bool stopping_{false};
  std::thread thread_;
};

}  // namespace sluice::daemon
