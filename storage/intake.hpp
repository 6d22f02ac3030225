// The bounded hand-over from the journal (any thread) to the engine (one thread).
//
// Behind Journal as its listener. Records wait in memory, in order, up to a bound. When that is
// full, what is in the journal is not kept here: the engine reads it from the journal when it gets
// there, and comes back to memory once it has caught up. So a slow moment costs disk, not readings,
// and nobody who delivers ever waits.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "pipeline/base/log.hpp"
#include "pipeline/base/time.hpp"
#include "storage/journal/reader.hpp"
#include "storage/journal/record.hpp"
#include "storage/record_ring.hpp"

namespace sluice::storage {

struct IntakeOptions {
  std::string journal_dir;
  std::size_t max_records{4096};
  std::size_t max_bytes{std::size_t{4} << 20U};
  /// For records that the journal could not store: memory is the only place they have.
  std::size_t max_unstored_bytes{std::size_t{32} << 20U};
};

struct IntakeStats {
  std::uint64_t waiting{};       ///< in memory now
  std::uint64_t bytes{};         ///< likewise
  bool overflowed{};             ///< the engine reads from the journal now
  std::uint64_t overflows{};     ///< how often that began
  std::uint64_t from_journal{};  ///< records the engine got that way
  std::uint64_t lost{};          ///< neither in memory nor readable from the journal
};

class Intake final : public JournalListener {
 public:
  enum class Next { kRecord, kTimeout, kClosed };

  Intake(IntakeOptions options, Log& log);

  /// Recovery: the engine has everything up to `after`, the journal ends at `newest`. What lies
  /// between is read from the journal first. Before the first append and the first next().
  void resume(std::uint64_t after, std::uint64_t newest);

  void on_appended(const JournalRecordView& record) noexcept override;

  /// Engine thread only. The next record in order, waiting up to `timeout` for one. Reuse one
  /// `record`: its buffers are swapped in and out, so that nothing is allocated in the long run.
  Next next(JournalRecord& record, Duration timeout);

  /// Wakes the engine. next() then gives what only memory holds (not stored in the journal), and
  /// kClosed after that; the rest waits in the journal for the next start. Any thread.
  void close();

  IntakeStats stats() const;

 private:
  bool fits(std::size_t bytes) const;
  bool pop_if_next(JournalRecord& record);
  bool take_ahead(JournalRecord& record);
  void read_ahead(std::unique_lock<std::mutex>& lock);
  void count_lost(std::uint64_t records);
  void give_up_on_journal(std::uint64_t through);

  const IntakeOptions options_;
  Log& log_;

  mutable std::mutex mutex_;
  std::condition_variable filled_;
  bool engine_waits_{};
  bool closed_{};
  RecordRing ring_;
  std::size_t unstored_{};  ///< records in ring_ that the journal does not have
  bool overflowed_{};
  std::uint64_t overflow_from_{};     ///< first sequence that was not kept in memory
  std::uint64_t overflow_through_{};  ///< last one
  IntakeStats counts_;

  // Engine thread only.
  bool busy_{};            ///< a record was there when it was last asked for
  std::uint64_t taken_{};  ///< last sequence given out
  std::optional<JournalReader> reader_;
  std::uint64_t read_through_{};  ///< last sequence the reader gave, or gave up on
  JournalRecord ahead_;           ///< read, not given out yet
  bool has_ahead_{};
  std::uint64_t found_through_{};  ///< what the journal held at the start
};

}  // namespace sluice::storage
