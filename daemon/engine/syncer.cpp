#include "daemon/engine/syncer.hpp"

namespace sluice::daemon {

Syncer::Syncer(storage::Journal& journal, storage::Outbox& outbox, Duration interval, Log& log)
    : journal_{journal}, outbox_{outbox}, interval_{interval}, log_{log}, thread_{[this] {
        run();
      }} {}

Syncer::~Syncer() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Syncer::request() {
  {
    const std::lock_guard lock{mutex_};
    requested_ = true;
  }
  wake_.notify_all();
}

void Syncer::run() {
  std::unique_lock lock{mutex_};
  while (!stopping_) {
    wake_.wait_for(lock, interval_, [this] { return requested_ || stopping_; });
    requested_ = false;
    lock.unlock();
    sync();
    lock.lock();
  }
}

void Syncer::sync() {
  if (journal_.synced_through() < journal_.last_sequence()) {
    if (auto status = journal_.sync(); !status) {
      // The journal counts what is not on the disk as given up, so alerts do not wait for ever.
      log_.write_limited("journal-sync-failed", LogLevel::kError,
                         "the journal could not be synced: " + status.error().message());
    }
  }
  outbox_.set_durable_through(journal_.synced_through());
}

}  // namespace sluice::daemon
