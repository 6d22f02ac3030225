#include "storage/journal/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "storage/crash_point.hpp"
#include "storage/crc32c.hpp"
#include "storage/journal/directory_lock.hpp"
#include "storage/journal/segment.hpp"

namespace sluice::storage {

namespace {
/// See with_cure().
bool names_its_cure(const Error& error) {
  return error.code() == ErrorCode::kInvalid || error.code() == ErrorCode::kNotFound ||
         error.code() == ErrorCode::kConflict;
}
}  // namespace

Journal::Journal(JournalOptions options, Log& log, File lock, RecoveredJournal found)
    : options_{std::move(options)},
      log_{log},
      lock_{std::move(lock)},
      segments_{std::move(found.segments)},
      next_number_{found.next_number},
      window_{std::move(found.window)},
      last_sequence_{found.last_sequence},
      last_stored_{found.last_sequence},
      numbers_unknown_{options_.write && (found.numbers_unknown || segments_.empty())},
      synced_through_{found.last_sequence},
      last_time_{found.last_time} {
  // Whoever wrote the newest two segments may not have lived to sync them; sync() will.
  directory_changed_ = !segments_.empty();
  for (std::size_t n = segments_.size() > 2 ? segments_.size() - 2 : 0; n < segments_.size(); ++n) {
    synced_through_ =
        std::min(synced_through_, std::max<std::uint64_t>(segments_[n].first_sequence, 1) - 1);
    auto file = File::open(segments_[n].path, O_RDONLY);
    if (file) unsynced_.push_back(std::make_shared<File>(std::move(*file)));
  }
  if (!found.unreadable.empty()) note_loss_locked(found.unreadable, 0);
  if (!found.resume_at || !lock_) return;
  auto writer =
      SegmentWriter::resume(segments_.back().path, *found.resume_at, std::move(found.names));
  if (!writer) {
    degrade(writer.error());
    return;
  }
  writer_ = std::move(*writer);
}

Journal::~Journal() {
  if (writer_) writer_->finish();
}

void Journal::set_listener(JournalListener* listener) {
  const std::lock_guard lock{mutex_};
  listener_ = listener;
}

void Journal::continue_after(std::uint64_t sequence) {
  const std::lock_guard lock{mutex_};
  last_sequence_ = std::max(last_sequence_, sequence);
}

Appended Journal::append_message(const MessageView& message) {
  const std::uint32_t payload_crc = crc32c(message.payload);
  const auto entry = RedeliveryWindow::entry(message.source, message.topic, message.packet_id,
                                             payload_crc, message.payload.size());
  JournalRecordView record;
  record.kind = JournalKind::kMessage;
  record.time = message.received;
  record.flags = static_cast<std::uint8_t>((message.duplicate ? kFlagDuplicate : 0) |
                                           (message.retained ? kFlagRetained : 0) |
                                           (message.cut ? kFlagCut : 0));
  record.packet_id = message.packet_id;
  record.source = message.source;
  record.topic = message.topic;
  record.payload = message.payload;

  const std::lock_guard lock{mutex_};
  if (message.duplicate && window_.contains(entry)) {
    ++counts_.duplicates;
    return {0, true, true};
  }
  window_.add(entry);
  return append_locked(record, payload_crc);
}

Appended Journal::append(JournalKind kind, Timestamp time, std::string_view payload) {
  JournalRecordView record;
  record.kind = kind;
  record.time = time;
  record.payload = payload;
  const std::uint32_t payload_crc = crc32c(payload);
  const std::lock_guard lock{mutex_};
  return append_locked(record, payload_crc);
}

Appended Journal::append_locked(JournalRecordView& record, std::uint32_t payload_crc) {
  record.time = std::max(last_time_, record.time);
  record.sequence = last_sequence_ + 1;
  record.stored = store(record, payload_crc);
  take_in(record);
  return {record.sequence, false, record.stored};
}

void Journal::take_in(const JournalRecordView& record) {
  last_time_ = record.time;
  last_sequence_ = record.sequence;
  ++counts_.appended;
  if (!record.stored) ++counts_.unstored;
  if (listener_ != nullptr) listener_->on_appended(record);
}

void Journal::try_disk(Timestamp now) {
  const std::lock_guard lock{mutex_};
  look_at_files(now);
  // After a failed sync one record is enough for the next one to find out with.
  const bool untried = degraded_ || (!sync_fault_.empty() && last_sequence_ == synced_through_);
  if (!untried) return;
  JournalRecordView tick;
  tick.kind = JournalKind::kTick;
  tick.time = std::max(last_time_, now);
  tick.sequence = last_sequence_ + 1;
  if (store(tick, crc32c({}))) take_in(tick);
}

bool Journal::store(const JournalRecordView& record, std::uint32_t payload_crc) {
  if (!options_.write) return false;
  if (record.payload.size() > kMaxPayload) {
    log_.write_limited("journal-too-long", LogLevel::kError,
                       "a message of " + std::to_string(record.payload.size()) +
                           " bytes is too long for the journal " + options_.dir +
                           "; it is handled, but would be lost in a crash");
    return false;
  }
  const bool full = writer_ && !writer_->has_room(record, options_.segment_bytes);
  if (!writer_ || full) {
    const auto now = std::chrono::steady_clock::now();
    if (degraded_ && now - last_try_ < options_.retry_after) return false;
    last_try_ = now;
    if (full) close_segment();
    if (auto status = open_segment(record); !status) {
      degrade(status.error());
      return false;
    }
  }
  const std::uint64_t before = writer_->offset();
  crash_point("journal.append.before-write");
  if (auto status = writer_->append(record, payload_crc, last_stored_); !status) {
    last_try_ = std::chrono::steady_clock::now();
    abandon_segment();
    degrade(status.error());
    return false;
  }
  crash_point("journal.append.after-write");
  last_stored_ = record.sequence;
  counts_.written_bytes += writer_->offset() - before;
  segments_.back().bytes = writer_->offset();
  if (options_.sync == SyncPolicy::kEach) {
    if (::fdatasync(writer_->file()->fd()) != 0) {
      // Written, but not known to be durable: it can still be read back, so it counts as stored.
      const Error error = system_error("sync", writer_->path());
      last_try_ = std::chrono::steady_clock::now();
      close_segment();
      degrade(error);
      return true;
    }
    if (unsynced_.empty() && !directory_changed_) synced_through_ = record.sequence;
    note_sync();
  }
  if (degraded_) recover_from_degraded();
  return true;
}

Status Journal::open_segment(const JournalRecordView& record) {
  SLUICE_RETURN_IF_ERROR(make_room());
  find_losses();
  if (!lock_) SLUICE_RETURN_IF_ERROR(take_directory());
  const std::string path = segment_path(options_.dir, next_number_);
  crash_point("journal.segment.before-create");
  auto writer = SegmentWriter::create(path, {kJournalVersion, record.sequence, record.time},
                                      options_.reserve ? options_.segment_bytes : 0);
  if (!writer) {
    if (::access(path.c_str(), F_OK) == 0) ++next_number_;  // a leftover must not block us for ever
    return with_cure(std::move(writer).error(), options_.dir);
  }
  crash_point("journal.segment.after-create");
  segments_.push_back({next_number_, path, record.sequence, record.time, writer->offset()});
  ++next_number_;
  counts_.written_bytes += writer->offset();
  writer_ = std::move(*writer);
  directory_changed_ = true;
  if (options_.sync == SyncPolicy::kEach) {
    // A segment whose name is lost would lose every record that was synced into it.
    SLUICE_RETURN_IF_ERROR(sync_directory(options_.dir));
    directory_changed_ = false;
  }
  return {};
}

void Journal::close_segment() {
  if (!writer_) return;
  writer_->finish();
  unsynced_.push_back(writer_->file());
  if (options_.sync == SyncPolicy::kEach && ::fdatasync(writer_->file()->fd()) == 0) {
    unsynced_.pop_back();
  }
  writer_.reset();
}

void Journal::abandon_segment() {
  const bool empty = writer_->offset() == kSegmentHeaderSize;
  close_segment();
  if (!empty) return;
  // Else each retry on a disk with room for a header alone would leave a file behind.
  ::unlink(segments_.back().path.c_str());
  segments_.pop_back();
}

void Journal::degrade(const Error& error) {
  counts_.reason = error.message();
  if (degraded_) return;
  degraded_ = true;
  last_try_ = std::chrono::steady_clock::now();
  log_.error("the journal cannot be written (" + error.message() +
             "): readings are watched in memory only until it can" +
             (names_its_cure(error) ? "" : "; free space or repair the disk"));
}

void Journal::recover_from_degraded() {
  degraded_ = false;
  counts_.reason.clear();
  log_.warning("the journal is written again, in " + writer_->path() + "; " +
               std::to_string(counts_.unstored) + " records were handled without it");
}

void Journal::note_failed_sync(const Error& error) {
  if (sync_fault_.empty()) {
    log_.error("the journal cannot be synced (" + error.message() +
               "): readings are watched and written, but a power cut may take them; repair the "
               "disk");
  }
  sync_fault_ = error.message();
}

void Journal::note_sync() {
  if (sync_fault_.empty()) return;
  sync_fault_.clear();
  log_.warning("the journal is synced again, in " + options_.dir);
}

}  // namespace sluice::storage
