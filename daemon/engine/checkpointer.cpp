#include "daemon/engine/checkpointer.hpp"

#include <algorithm>

namespace sluice::daemon {

using SteadyClock = std::chrono::steady_clock;

namespace {
/// How old the copy to fall back to may get. The journal is kept from there on.
constexpr std::chrono::hours kCopyEvery{1};
}  // namespace

Checkpointer::Checkpointer(storage::CheckpointStore& store, storage::Journal& journal, Log& log)
    : store_{store}, journal_{journal}, log_{log}, thread_{[this] { run(); }} {}

Checkpointer::~Checkpointer() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool Checkpointer::busy() const {
  const std::lock_guard lock{mutex_};
  return work_.has_value();
}

void Checkpointer::submit(std::uint64_t id, storage::CheckpointMeta meta,
                          storage::CheckpointDelta delta, std::vector<Publication> outbox) {
  {
    const std::lock_guard lock{mutex_};
    work_ = Work{id, std::move(meta), std::move(delta), std::move(outbox)};
  }
  changed_.notify_all();
}

std::optional<std::uint64_t> Checkpointer::take_completed() {
  const std::lock_guard lock{mutex_};
  return std::exchange(completed_, std::nullopt);
}

void Checkpointer::wait_until_idle() {
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [this] { return !work_.has_value(); });
}

void Checkpointer::discard_unwritten() {
  const std::lock_guard lock{mutex_};
  unwritten_.reset();
}

CheckpointerStats Checkpointer::stats() const {
  const std::lock_guard lock{mutex_};
  return stats_;
}

void Checkpointer::run() {
  std::unique_lock lock{mutex_};
  while (true) {
    changed_.wait(lock, [this] { return work_.has_value() || stopping_; });
    if (!work_) return;
    // The work stays in place while it is done: busy() must not turn false before it is.
    Work& work = *work_;
    lock.unlock();
    write(work);
    lock.lock();
    work_.reset();
    changed_.notify_all();
  }
}

void Checkpointer::write(Work& work) {
  {
    const std::lock_guard lock{mutex_};
    if (unwritten_) {
      unwritten_->append(std::move(work.delta));
      work.delta = std::move(*unwritten_);
      unwritten_.reset();
    }
  }
  const auto start = SteadyClock::now();
  const Status status = store_.write(work.meta, work.delta, work.outbox);
  const auto took = std::chrono::duration_cast<Duration>(SteadyClock::now() - start);
  if (status) {
    {
      const std::lock_guard lock{mutex_};
      ++stats_.written;
      if (!stats_.last_error.empty()) log_.info("checkpoints can be written again");
      stats_.last_error.clear();
      stats_.last_taken_at = work.meta.taken_at;
      stats_.last_sequence = work.meta.journal_sequence;
      stats_.last_duration_ms = took.count();
      completed_ = work.id;
    }
    after_write(work);
    return;
  }
  log_.write_limited("checkpoint-failed", LogLevel::kError,
                     "a checkpoint could not be written; its changes are kept and the journal "
                     "holds everything meanwhile: " +
                         status.error().message());
  const std::lock_guard lock{mutex_};
  ++stats_.failed;
  stats_.last_error = status.error().message();
  unwritten_ = std::move(work.delta);
}

void Checkpointer::after_write(const Work& work) {
  const auto now = SteadyClock::now();
  if (!copied_at_ || now - *copied_at_ >= kCopyEvery) {
    copied_at_ = now;
    if (auto copied = store_.keep_copy(); !copied) {
      log_.write_limited(
          "checkpoint-copy-failed", LogLevel::kWarning,
          "the checkpoint to fall back to could not be renewed: " + copied.error().message());
    }
  }
  // What a restart would need: everything behind the checkpoint, and behind its copy.
  const auto needed = std::min(work.meta.journal_sequence,
                               store_.copy_sequence().value_or(work.meta.journal_sequence));
  if (auto dropped = journal_.drop_before(needed + 1); !dropped) {
    log_.write_limited("journal-drop-failed", LogLevel::kWarning,
                       "old journal segments could not be removed: " + dropped.error().message());
  }
}

}  // namespace sluice::daemon
