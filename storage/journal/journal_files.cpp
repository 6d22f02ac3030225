// The journal's dealings with its directory: opening, syncing, dropping, reporting.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "storage/crash_point.hpp"
#include "storage/journal/directory_lock.hpp"
#include "storage/journal/journal.hpp"

namespace sluice::storage {

Result<std::unique_ptr<Journal>> Journal::open(JournalOptions options, Log& log) {
  auto lock = lock_directory(options.dir);
  if (!lock && lock.error().code() == ErrorCode::kConflict) return std::move(lock).error();
  auto found = recover_journal(options.dir, log);
  Status usable = lock ? Status{} : Status{lock.error()};
  if (!found) usable = with_cure(found.error(), options.dir);
  std::unique_ptr<Journal> journal{new Journal{std::move(options), log,
                                               lock && found ? std::move(*lock) : File{},
                                               found ? std::move(*found) : RecoveredJournal{}}};
  if (!usable) journal->degrade(usable.error());
  return journal;
}

Status Journal::sync() {
  const std::lock_guard one_at_a_time{sync_mutex_};
  std::vector<std::shared_ptr<File>> files;
  std::uint64_t target = 0;
  bool directory = false;
  {
    const std::lock_guard lock{mutex_};
    target = last_sequence_;
    if (target == synced_through_ && unsynced_.empty() && !directory_changed_) return {};
    files.swap(unsynced_);
    if (writer_) files.push_back(writer_->file());
    directory = std::exchange(directory_changed_, false);
  }
  Status result;
  const File* failed = nullptr;
  crash_point("journal.sync.before");
  for (const auto& file : files) {
    if (::fdatasync(file->fd()) == 0) continue;
    result = system_error("sync journal", options_.dir);
    failed = file.get();
  }
  if (directory && result) result = sync_directory(options_.dir);
  crash_point("journal.sync.after");

  const std::lock_guard lock{mutex_};
  // Also after a failure: what did not get there then is not tried again, so no alert may wait.
  synced_through_ = std::max(synced_through_, target);
  if (result) {
    if (!files.empty()) note_sync();
    return result;
  }
  directory_changed_ = directory_changed_ || directory;
  // After a failed sync the kernel may have forgotten the dirty pages: this file is not trusted
  // with new records.
  if (writer_ && writer_->file().get() == failed) {
    writer_->finish();
    writer_.reset();
  }
  note_failed_sync(result.error());
  return result;
}

std::uint64_t Journal::synced_through() const {
  const std::lock_guard lock{mutex_};
  return synced_through_;
}

std::uint64_t Journal::last_sequence() const {
  const std::lock_guard lock{mutex_};
  return last_sequence_;
}

Timestamp Journal::last_time() const {
  const std::lock_guard lock{mutex_};
  return last_time_;
}

JournalHealth Journal::health() const {
  const std::lock_guard lock{mutex_};
  JournalHealth health = counts_;
  health.durable = !degraded_ && sync_fault_.empty();
  if (!degraded_) health.reason = sync_fault_;
  health.bytes = total_bytes();
  health.needed_bytes = needed_bytes();
  health.max_bytes = options_.max_bytes;
  health.segments = segments_.size();
  fill_in_loss(health);
  health.first_sequence = segments_.empty() ? last_sequence_ + 1 : segments_.front().first_sequence;
  health.last_sequence = last_sequence_;
  health.synced_through = synced_through_;
  return health;
}

std::uint64_t Journal::total_bytes() const {
  std::uint64_t total = 0;
  for (const SegmentInfo& segment : segments_) total += segment.bytes;
  return total;
}

bool Journal::retained(Timestamp newest_in_segment, std::uint64_t total) const {
  const bool by_age = options_.retain_age.count() > 0;
  if (options_.retain_bytes > 0 && total > options_.retain_bytes) return false;
  if (!by_age) return options_.retain_bytes > 0;
  return newest_in_segment >= saturating_add(last_time_, -options_.retain_age.count());
}

void Journal::need_from(std::uint64_t sequence) {
  const std::lock_guard lock{mutex_};
  needed_from_ = std::max(needed_from_, sequence);
}

std::uint64_t Journal::needed_bytes() const {
  std::uint64_t total = 0;
  for (std::size_t n = segments_.size(); n-- > 0;) {
    total += segments_[n].bytes;
    if (segments_[n].first_sequence <= needed_from_) break;
  }
  return total;
}

// For one more segment, at the cost of history.
Status Journal::make_room() {
  if (options_.max_bytes == 0) return {};
  std::uint64_t total = total_bytes() + options_.segment_bytes;
  while (total > options_.max_bytes && segments_.size() > 1 &&
         segments_[1].first_sequence <= needed_from_) {
    total -= segments_.front().bytes;
    ::unlink(segments_.front().path.c_str());
    segments_.pop_front();
    directory_changed_ = true;
  }
  if (total <= options_.max_bytes || segments_.empty()) return {};
  return Error{ErrorCode::kFull,
               "journal " + options_.dir + " has grown to journal.max_size (" +
                   std::to_string(options_.max_bytes >> 20U) +
                   " MiB) and all of it is needed, because no checkpoint could be written"};
}

Status Journal::drop_before(std::uint64_t sequence) {
  std::vector<std::string> paths;
  {
    const std::lock_guard lock{mutex_};
    needed_from_ = std::max(needed_from_, sequence);
    std::uint64_t total = total_bytes();
    while (segments_.size() > 1 && segments_[1].first_sequence <= sequence &&
           total >= segments_.front().bytes + options_.keep_for_redeliveries &&
           !retained(segments_[1].created, total)) {
      total -= segments_.front().bytes;
      paths.push_back(segments_.front().path);
      segments_.pop_front();
    }
    directory_changed_ = directory_changed_ || !paths.empty();
  }
  Status result;
  for (const std::string& path : paths) {
    crash_point("journal.drop.before-remove");
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) result = system_error("remove", path);
    crash_point("journal.drop.after-remove");
  }
  return result;
}

}  // namespace sluice::storage
