// Syncer: forces the journal to the disk on a thread of its own: at once when an alert waits for
// it, and every few seconds anyway (journal.sync = "alert").
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "pipeline/base/log.hpp"
#include "pipeline/base/time.hpp"
#include "storage/journal/journal.hpp"
#include "storage/outbox.hpp"

namespace sluice::daemon {

class Syncer {
 public:
  /// References outlive it.
  Syncer(storage::Journal& journal, storage::Outbox& outbox, Duration interval, Log& log);
  ~Syncer();
  Syncer(const Syncer&) = delete;
  Syncer& operator=(const Syncer&) = delete;

  /// An alert waits: sync now. Any thread, returns at once.
  void request();

 private:
  void run();
  void sync();

  storage::Journal& journal_;
  storage::Outbox& outbox_;
  const Duration interval_;
  Log& log_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool requested_{false};
  bool stopping_{false};
  std::thread thread_;
};

}  // namespace sluice::daemon
