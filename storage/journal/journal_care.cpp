// What others do to the journal's files while it runs, and what it makes of it.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "storage/crc32c.hpp"
#include "storage/journal/directory_lock.hpp"
#include "storage/journal/journal.hpp"
#include "storage/journal/segment.hpp"

namespace sluice::storage {
namespace {

constexpr std::chrono::seconds kLookEvery{1};
/// How long it is spoken of at least: of files that a checkpoint made up for, and of records that
/// are lost.
constexpr std::chrono::seconds kToldFor{15};
constexpr std::chrono::minutes kLossToldFor{10};

bool is_gone(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

}  // namespace

// Also where another one took the place of the one before: no file of it may be written over.
Status Journal::take_directory() {
  auto lock = lock_directory(options_.dir);
  if (!lock) return std::move(lock).error();
  auto names = list_segments(options_.dir);
  if (!names) return with_cure(std::move(names).error(), options_.dir);
  if (!names->empty()) next_number_ = std::max(next_number_, names->back().number + 1);
  lock_ = std::move(*lock);
  return {};
}

// Writing goes on into a file that has no name any more, and the system says that all is well. What
// a restart would miss must be noticed here.
bool Journal::find_losses() {
  // First this: should the open segment go right now, the writer must not outlive its entry.
  const std::size_t removed =
      std::erase_if(segments_, [](const SegmentInfo& segment) { return is_gone(segment.path); });
  const bool writing_elsewhere = writer_ && !is_at(*writer_->file(), writer_->path());
  const bool ours = !writing_elsewhere && (!lock_ || locks(lock_, options_.dir));
  if (ours && removed == 0) return false;
  counts_.removed_files += std::max<std::size_t>(removed, writing_elsewhere ? 1 : 0);
  if (!ours) {
    // Without the lock another process may write here by now.
    if (writer_) writer_->finish();
    writer_.reset();
    lock_.close();
  }
  note_loss_locked("files in the journal " + options_.dir +
                       " were removed, moved or replaced while sluice was using them; it goes on "
                       "in a new one, and a checkpoint makes up for what they held; see who "
                       "changes files there",
                   0);
  return true;
}

void Journal::look_at_files(Timestamp now) {
  const auto time = std::chrono::steady_clock::now();
  if (!options_.write || degraded_ || time - looked_at_ < kLookEvery) return;
  looked_at_ = time;
  if (!find_losses()) return;
  // At once, so that it is known whether there can be a new one.
  JournalRecordView tick;
  tick.kind = JournalKind::kTick;
  tick.time = now;
  append_locked(tick, crc32c({}));
}

void Journal::note_loss(const std::string& text, std::uint64_t missing) {
  const std::lock_guard lock{mutex_};
  note_loss_locked(text, missing);
}

void Journal::note_loss_locked(const std::string& text, std::uint64_t missing) {
  log_.error(text);
  loss_ = text;
  lost_at_ = std::chrono::steady_clock::now();
  ++counts_.losses;
  counts_.missing += missing;
  counts_.loss_through = std::max<std::uint64_t>(last_sequence_, 1);
}

void Journal::fill_in_loss(JournalHealth& health) const {
  if (needed_from_ > health.loss_through) health.loss_through = 0;
  const auto told_for = health.missing != 0 ? std::chrono::seconds{kLossToldFor} : kToldFor;
  const bool over =
      health.loss_through == 0 && std::chrono::steady_clock::now() - lost_at_ >= told_for;
  if (!over) health.loss = loss_;
}

}  // namespace sluice::storage
