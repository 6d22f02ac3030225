// The journal: an append-only log of everything that can influence a result, in one order.
//
// Any thread may append; one lock gives the order. Each append is one write, no sync, so what was
// appended survives kill -9; what was synced survives a power cut. Where the disk refuses, the
// journal goes on without it (see JournalHealth), because watching must not stop.
// docs/journal-format.md describes the files.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/log.hpp"
#include "pipeline/base/result.hpp"
#include "pipeline/base/time.hpp"
#include "pipeline/records/message.hpp"
#include "storage/file.hpp"
#include "storage/journal/record.hpp"
#include "storage/journal/recovery.hpp"
#include "storage/journal/redelivery.hpp"
#include "storage/journal/segment_writer.hpp"
#include "storage/journal/sync_policy.hpp"

namespace sluice::storage {

struct JournalOptions {
  std::string dir;
  std::uint64_t segment_bytes{std::uint64_t{16} << 20U};
  SyncPolicy sync{SyncPolicy::kAlert};
  bool reserve{true};  ///< ask the file system for the whole segment in advance
  /// False: records are numbered and handed on, and none reaches the disk. For measuring what
  /// writing costs.
  bool write{true};
  /// After a refused write: how long to go on in memory before the disk is tried again.
  std::chrono::milliseconds retry_after{1000};
  /// So many of the newest bytes stay in any case: a message whose acknowledgement got lost in a
  /// crash may come again several starts later, and is recognised by its first copy.
  std::uint64_t keep_for_redeliveries{0};
  /// Recorded history: segments stay this long after they are not needed any more; 0 = not at all
  /// for its age.
  Duration retain_age{0};
  /// At most this much of it; 0 = no limit if retain_age is set, else none is kept.
  std::uint64_t retain_bytes{};
  /// All segments together, for when nothing can be dropped because no checkpoint gets written:
  /// history gives way first, then new records are not stored. 0 = no limit.
  std::uint64_t max_bytes{};
};

struct Appended {
  std::uint64_t sequence{};  ///< of the new record; 0 for a duplicate, which gets none
  bool was_duplicate{};      ///< recognised as delivered before: not appended
  bool stored{true};         ///< false: handed on, but not on disk
};

/// For status, metrics and decisions such as letting an alert go out unsynced.
struct JournalHealth {
  bool durable{true};             ///< what is appended now reaches the disk
  std::string reason;             ///< why not; else empty
  std::uint64_t unstored{};       ///< records since open that the disk did not take
  std::uint64_t duplicates{};     ///< redeliveries recognised since open
  std::uint64_t appended{};       ///< records since open
  std::uint64_t written_bytes{};  ///< handed to the file system since open
  std::uint64_t bytes{};          ///< of all segments together
  std::uint64_t needed_bytes{};   ///< of those that a restart would need
  std::uint64_t max_bytes{};      ///< as in JournalOptions
  std::uint64_t segments{};
  /// What happened to its files: records are missing, or were until a checkpoint made up for it. A
  /// sentence with the cure; empty when that is long enough ago.
  std::string loss;
  std::uint64_t losses{};         ///< how often that was, since open
  std::uint64_t missing{};        ///< records that were stored and are in no file, found since open
  std::uint64_t removed_files{};  ///< segments that were gone while it ran
  /// A checkpoint up to here, and its copy, make up for it; 0 if nothing is to be made up for.
  std::uint64_t loss_through{};
  std::uint64_t first_sequence{};  ///< the oldest one that may still be there
  std::uint64_t last_sequence{};
  std::uint64_t synced_through{};
};

class Journal {
 public:
  /// Finds the end of what is there and goes on behind it. Damage is set aside and reported, never
  /// an error. Where the directory cannot be used, whatever the reason, it gives a journal that is
  /// not durable yet, and tries again (try_disk()). The only error: another process uses it
  /// (kConflict).
  static Result<std::unique_ptr<Journal>> open(JournalOptions options, Log& log);
  ~Journal();

  /// Set before the first append, or nullptr.
  void set_listener(JournalListener* listener);

  /// Numbers go on behind `sequence` at least: a checkpoint may know more than the disk kept.
  void continue_after(std::uint64_t sequence);
  /// Whether there may be records, or have been, of higher numbers than last_sequence(): none was
  /// found, or not all could be read. As found at open.
  bool numbers_unknown() const { return numbers_unknown_; }
  /// Records are missing that a restart would need. To be said in health() until a checkpoint
  /// makes up for it.
  void note_loss(const std::string& text, std::uint64_t missing);

  Appended append_message(const MessageView& message);
  /// For the journal's own kinds. `time` is the wall clock; records never go back in time.
  Appended append(JournalKind kind, Timestamp time, std::string_view payload);

  /// Forces all that was appended before the call to the disk; appends go on meanwhile. After an
  /// error the journal tries a new segment; the records in question stay where they are, and it
  /// counts as not durable until a later sync of newer ones succeeds.
  Status sync();
  /// Looks after itself, a few times a second; any thread. While it is not durable: appends a tick
  /// if the disk takes it again, once in `retry_after`. So a fault is over when its cause is gone,
  /// also where nothing comes in. Once a second: whether somebody has removed, moved or replaced
  /// its files; then it goes on in a new one, and health() says what is to be made up for.
  void try_disk(Timestamp now);
  /// Everything up to here is on the disk for good, or is known not to get there (`unstored`, or a
  /// sync failed), so that waiting for it makes no sense.
  std::uint64_t synced_through() const;
  std::uint64_t last_sequence() const;
  /// Time of the newest record; kMinTimestamp if there is none.
  Timestamp last_time() const;
  JournalHealth health() const;
  const std::string& dir() const { return options_.dir; }

  /// Records before `sequence` are not needed for a restart, but stay for now.
  void need_from(std::uint64_t sequence);
  /// Records before `sequence` are not needed any more: whole segments of them go, unless they are
  /// kept as recorded history. The newest segment always stays.
  Status drop_before(std::uint64_t sequence);

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;

  Journal(JournalOptions options, Log& log, File lock, RecoveredJournal found);

  Appended append_locked(JournalRecordView& record, std::uint32_t payload_crc);
  void take_in(const JournalRecordView& record);
  bool store(const JournalRecordView& record, std::uint32_t payload_crc);
  Status open_segment(const JournalRecordView& record);
  void close_segment();
  void abandon_segment();
  void degrade(const Error& error);
  void recover_from_degraded();
  void note_failed_sync(const Error& error);
  void note_sync();
  bool retained(Timestamp newest_in_segment, std::uint64_t total_bytes) const;
  std::uint64_t total_bytes() const;
  std::uint64_t needed_bytes() const;
  Status make_room();
  // What others do to its files (journal_care.cpp).
  Status take_directory();
  bool find_losses();
  void look_at_files(Timestamp now);
  void note_loss_locked(const std::string& text, std::uint64_t missing);
  void fill_in_loss(JournalHealth& health) const;

  const JournalOptions options_;
  Log& log_;
  File lock_;  ///< none where the directory could not be written to

  std::mutex sync_mutex_;  ///< one sync at a time; taken before mutex_
  mutable std::mutex mutex_;
  JournalListener* listener_{};
  std::deque<SegmentInfo> segments_;
  std::uint64_t needed_from_{};  ///< first record that a restart would need
  std::uint64_t next_number_{};
  std::optional<SegmentWriter> writer_;
  std::vector<std::shared_ptr<File>> unsynced_;  ///< closed segments that no sync has seen
  bool directory_changed_{};
  RedeliveryWindow window_;
  std::uint64_t last_sequence_{};
  std::uint64_t last_stored_{};
  bool numbers_unknown_{};
  std::uint64_t synced_through_{};
  Timestamp last_time_{};
  bool degraded_{};
  SteadyTime last_try_;
  std::string sync_fault_;  ///< why the last sync failed; empty if it did not
  SteadyTime looked_at_;    ///< the files
  std::string loss_;
  SteadyTime lost_at_;
  JournalHealth counts_;  ///< only the counters, and why writing fails
};

}  // namespace sluice::storage
