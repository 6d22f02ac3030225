// Checkpointer: writes checkpoints on a thread of its own, so the engine never waits for the disk.
//
// The engine hands over what changed and goes on. A checkpoint that could not be written is kept
// and goes out with the next one; nobody else has its changes any more.
#pragma once

#include <chrono>
#include <condition_variable>
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
};

class Checkpointer {
 public:
  /// Both references outlive it.
  Checkpointer(storage::CheckpointStore& store, storage::Journal& journal, Log& log);
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  /// True while a checkpoint is being written. Engine thread.
  bool busy() const;
  /// Only while not busy().
  void submit(std::uint64_t id, storage::CheckpointMeta meta, storage::CheckpointDelta delta,
              std::vector<Publication> outbox);
  /// The newest checkpoint that became durable since the last call.
  std::optional<std::uint64_t> take_completed();
  /// Waits until what was submitted is written or has failed; then the store is free for others.
  void wait_until_idle();
  /// Changes that could not be written yet are void: the state goes back to the stored checkpoint.
  void discard_unwritten();

  CheckpointerStats stats() const;

 private:
  struct Work {
    std::uint64_t id{};
    storage::CheckpointMeta meta;
    storage::CheckpointDelta delta;
    std::vector<Publication> outbox;
  };

  void run();
  void write(Work& work);
  void after_write(const Work& work);

  storage::CheckpointStore& store_;
  storage::Journal& journal_;
  Log& log_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Work> work_;
  std::optional<storage::CheckpointDelta> unwritten_;
  std::optional<std::uint64_t> completed_;
  CheckpointerStats stats_;
  std::optional<std::chrono::steady_clock::time_point> copied_at_;  // checkpointer thread only
  bool stopping_{false};
  std::thread thread_;
};

}  // namespace sluice::daemon
