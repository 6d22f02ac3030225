#include "daemon/engine/checkpointer.hpp"

#include <algorithm>

namespace sluice::daemon {

using SteadyClock = std::chrono::steady_clock;

namespace {
/// How old the copy to fall back to may get. The journal is kept from there on.
constexpr std::chrono::hours kCopyEvery{1};
/// Until it is tried again where that failed.
constexpr std::chrono::minutes kCopyAgain{1};
/// So long a repaired database is spoken of at least: the status goes out every ten seconds.
constexpr std::chrono::seconds kToldFor{15};

storage::DatabaseOptions impatient() {
  storage::DatabaseOptions options;
  options.busy_timeout_ms = 100;
  return options;
}
}  // namespace

Checkpointer::Checkpointer(CheckpointerOptions options, storage::OpenedStore opened,
                           storage::Journal& journal, Log& log)
    : options_{std::move(options)},
      journal_{journal},
      log_{log},
      has_store_{opened.store != nullptr},
      store_{std::move(opened.store)} {
  if (has_store_) {
    stats_.notice = std::move(opened.notice);
    in_order_ = stats_.notice.empty();
    noticed_at_ = SteadyClock::now();
  } else {
    stats_.last_error = std::move(opened.notice);
  }
  thread_ = std::thread{[this] { run(); }};
}

Checkpointer::~Checkpointer() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool Checkpointer::store_is_back() const {
  const std::lock_guard lock{mutex_};
  return store_is_back_;
}

Result<storage::LoadedCheckpoint> Checkpointer::load() {
  const std::lock_guard no_look{store_mutex_};
  std::string fault = damage_;
  if (store_ && damage_.empty()) {
    if (reopen_ && store_->reopen()) reopen_ = false;
    auto loaded = store_->load();
    if (loaded) {
      const std::uint64_t there = loaded->meta.journal_sequence;
      journal_.need_from(std::min(there, store_->copy_sequence().value_or(there)) + 1);
    }
    if (loaded || loaded.error().code() != ErrorCode::kIo) return loaded;
    fault = loaded.error().message();
    log_.error("the database cannot be read: " + fault);
  }
  auto copy = storage::CheckpointStore::load_copy(options_.path);
  if (copy) {
    log_.warning("going on from the copy " + options_.path + ".previous, checkpoint " +
                 std::to_string(copy->meta.journal_sequence) + ", and the journal behind it");
    // Changes from here on are not changes of what the database has.
    const std::lock_guard lock{mutex_};
    wants_full_ = has_store_;
    return copy;
  }
  if (has_store_) return std::move(copy).error().with_context(fault);
  log_.error("there is no copy to go on from (" + copy.error().message() +
             "): going on from the journal alone until the database can be used");
  return storage::LoadedCheckpoint{};
}

bool Checkpointer::busy() const {
  const std::lock_guard lock{mutex_};
  return work_.has_value();
}

bool Checkpointer::wants_full() const {
  const std::lock_guard lock{mutex_};
  return wants_full_;
}

void Checkpointer::submit(std::uint64_t id, storage::CheckpointMeta meta,
                          storage::CheckpointDelta delta, std::vector<Publication> outbox,
                          bool full) {
  {
    const std::lock_guard lock{mutex_};
    work_ = Work{id, std::move(meta), std::move(delta), std::move(outbox), full};
    if (full) wants_full_ = false;
    if (full) full_rows_ = work_->delta.rows();
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
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [this] { return !work_.has_value(); });
  unwritten_.reset();
}

CheckpointerStats Checkpointer::stats() const {
  const std::lock_guard lock{mutex_};
  CheckpointerStats stats = stats_;
  if (in_order_ && SteadyClock::now() - noticed_at_ >= kToldFor) stats.notice.clear();
  return stats;
}

void Checkpointer::run() {
  const auto called = [this] { return work_.has_value() || stopping_; };
  std::unique_lock lock{mutex_};
  while (true) {
    changed_.wait_for(lock, unwritten_ || !has_store_ ? options_.retry : options_.look, called);
    if (!work_ && stopping_) return;
    // The work stays in place while it is done: busy() must not turn false before it is.
    if (!work_ && unwritten_) work_ = std::exchange(unwritten_, std::nullopt);
    Work* const work = work_ ? &*work_ : nullptr;
    lock.unlock();
    if (work != nullptr) {
      write(*work);
    } else {
      look_for_store();
      look_at_store();
    }
    lock.lock();
    if (work != nullptr) work_.reset();  // else it came meanwhile, and its turn is next
    changed_.notify_all();
  }
}

void Checkpointer::look_for_store() {
  if (has_store_ || store_is_back()) return;
  const Status there = storage::CheckpointStore::probe(options_.path, impatient());
  const std::lock_guard lock{mutex_};
  if (there) {
    store_is_back_ = true;
  } else {
    stats_.last_error = there.error().message();
  }
}

// Before each checkpoint it is looked at, too; but nobody knows when the next one comes, and until
// then a kill would find neither what was removed nor, perhaps, its copy.
void Checkpointer::look_at_store() {
  const std::lock_guard no_load{store_mutex_};
  if (!store_ || !damage_.empty()) return;
  const Status status = store_->check_untouched();
  if (status || status.error().code() != ErrorCode::kCorrupt) return;
  note_damage(status.error());
  const std::lock_guard lock{mutex_};
  wants_full_ = true;
}

void Checkpointer::note_damage(const Error& error) {
  damage_ = error.message();
  log_.error(damage_ + "; it is written anew from memory");
}

void Checkpointer::write(Work& work) {
  {
    const std::lock_guard lock{mutex_};
    if (unwritten_ && !work.full) {
      unwritten_->delta.append(std::move(work.delta));
      work.delta = std::move(unwritten_->delta);
      work.full = unwritten_->full;
    }
    unwritten_.reset();
  }
  const auto start = SteadyClock::now();
  const Status status = write_or_rebuild(work);
  if (!status) return note_failed(work, status.error());
  note_written(work, std::chrono::duration_cast<Duration>(SteadyClock::now() - start));
  after_write(work);
}

Status Checkpointer::write_or_rebuild(Work& work) {
  if (damage_.empty()) {
    Status status = reopen_ ? store_->reopen() : Status{};
    if (status) {
      reopen_ = false;
      status = store_->write(work.meta, work.delta, work.outbox);
    }
    if (status) return status;
    reopen_ = reopen_ || status.error().code() == ErrorCode::kIo;
    if (status.error().code() != ErrorCode::kCorrupt) return status;
    note_damage(status.error());
    if (!work.full) return status;
  }
  return rebuild(work);
}

Status Checkpointer::rebuild(Work& work) {
  if (!work.full) return Error{ErrorCode::kCorrupt, damage_};
  store_.reset();
  auto opened = storage::CheckpointStore::rebuild(options_.path, damage_, work.meta, work.delta,
                                                  work.outbox, log_, options_.database);
  if (!opened) return std::move(opened).error();
  store_ = std::move(opened->store);
  damage_.clear();
  copied_at_.reset();
  const std::lock_guard lock{mutex_};
  stats_.notice = std::move(opened->notice);
  ++stats_.rebuilt;
  noticed_at_ = SteadyClock::now();
  in_order_ = false;
  return {};
}

void Checkpointer::note_written(const Work& work, Duration took) {
  const std::lock_guard lock{mutex_};
  ++stats_.written;
  if (!stats_.last_error.empty()) log_.info("checkpoints can be written again");
  stats_.last_error.clear();
  stats_.last_taken_at = work.meta.taken_at;
  stats_.last_sequence = work.meta.journal_sequence;
  stats_.last_duration_ms = took.count();
  completed_ = work.id;
}

void Checkpointer::note_failed(Work& work, const Error& error) {
  log_.write_limited("checkpoint-failed", LogLevel::kError,
                     "a checkpoint could not be written; it is tried again, and the journal "
                     "holds everything meanwhile: " +
                         error.message());
  const std::lock_guard lock{mutex_};
  ++stats_.failed;
  stats_.last_error = error.message();
  const std::size_t most = std::max(options_.most_rows, 2 * full_rows_);
  const bool useless = !damage_.empty() && !work.full;
  if (useless || work.delta.rows() > most) {
    wants_full_ = true;
    return;
  }
  unwritten_ = std::move(work);
}

void Checkpointer::renew_copy() {
  copied_at_ = SteadyClock::now();
  const Status copied = store_->keep_copy();
  if (copied) {
    const std::lock_guard lock{mutex_};
    in_order_ = true;
    return;
  }
  *copied_at_ -= kCopyEvery - kCopyAgain;
  log_.write_limited(
      "checkpoint-copy-failed", LogLevel::kWarning,
      "the checkpoint to fall back to could not be renewed: " + copied.error().message());
  if (copied.error().code() != ErrorCode::kCorrupt) return;
  damage_ = copied.error().message();
  const std::lock_guard lock{mutex_};
  wants_full_ = true;
}

void Checkpointer::after_write(const Work& work) {
  // What the copy needs must not fill the journal up.
  const storage::JournalHealth journal = journal_.health();
  const bool much = journal.max_bytes != 0 && journal.needed_bytes >= journal.max_bytes / 2;
  // What the journal has lost, a restart from the copy would miss.
  const bool lost = journal.loss_through != 0 && work.meta.journal_sequence >= journal.loss_through;
  const bool gone = !storage::path_exists(storage::copy_path(options_.path));
  if (!copied_at_ || much || lost || gone || SteadyClock::now() - *copied_at_ >= kCopyEvery)
    renew_copy();
  // What a restart would need: everything behind the checkpoint, and behind its copy.
  const auto needed = std::min(work.meta.journal_sequence,
                               store_->copy_sequence().value_or(work.meta.journal_sequence));
  if (auto dropped = journal_.drop_before(needed + 1); !dropped) {
    log_.write_limited("journal-drop-failed", LogLevel::kWarning,
                       "old journal segments could not be removed: " + dropped.error().message());
  }
}

}  // namespace sluice::daemon
