#include "storage/intake.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace sluice::storage {
namespace {

constexpr Duration kNap{1};
constexpr Duration kLongest = std::chrono::hours{24};

}  // namespace

Intake::Intake(IntakeOptions options, Log& log) : options_{std::move(options)}, log_{log} {}

void Intake::resume(std::uint64_t after, std::uint64_t newest) {
  const std::lock_guard lock{mutex_};
  taken_ = after;
  found_through_ = newest;
  read_through_ = after;
  if (newest <= after) return;
  overflowed_ = true;
  overflow_from_ = after + 1;
  overflow_through_ = newest;
}

bool Intake::fits(std::size_t bytes) const {
  // One record always fits into nothing, however large it is.
  return ring_.empty() ||
         (ring_.size() < options_.max_records && ring_.bytes() + bytes <= options_.max_bytes);
}

void Intake::on_appended(const JournalRecordView& record) noexcept {
  bool wake = false;
  {
    const std::lock_guard lock{mutex_};
    const std::size_t bytes = RecordRing::bytes_of(record);
    if (record.stored) {
      if (!overflowed_ && fits(bytes)) {
        ring_.push(record);
      } else {
        if (!overflowed_) {
          overflowed_ = true;
          overflow_from_ = record.sequence;
          ++counts_.overflows;
        }
        overflow_through_ = record.sequence;
      }
    } else if (fits(bytes) || ring_.bytes() + bytes <= options_.max_unstored_bytes) {
      ring_.push(record);
      ++unstored_;
    } else {
      ++counts_.lost;
      log_.write_limited("intake-lost", LogLevel::kError,
                         "readings are lost: the journal cannot be written and the memory for "
                         "what waits is used up; free space or repair the disk");
    }
    wake = engine_waits_;
  }
  if (wake) filled_.notify_one();
}

// The ring's front, if nothing in the journal comes before it.
bool Intake::pop_if_next(JournalRecord& record) {
  while (!ring_.empty()) {
    const std::uint64_t sequence = ring_.front().sequence;
    const bool journal_first =
        overflowed_ && sequence > overflow_from_ &&
        (has_ahead_ ? ahead_.sequence < sequence
                    : read_through_ < std::min(sequence - 1, overflow_through_));
    if (journal_first) return false;
    ring_.pop(record);
    if (!record.stored) --unstored_;
    if (sequence <= taken_) continue;  // the reader was faster than the listener
    taken_ = sequence;
    return true;
  }
  return false;
}

bool Intake::take_ahead(JournalRecord& record) {
  if (!has_ahead_) return false;
  has_ahead_ = false;
  if (ahead_.sequence <= taken_) return false;
  std::swap(record, ahead_);
  taken_ = record.sequence;
  ++counts_.from_journal;
  return true;
}

Intake::Next Intake::next(JournalRecord& record, Duration timeout) {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::unique_lock lock{mutex_};
  for (;;) {
    if (closed_ && unstored_ == 0) return Next::kClosed;
    if (pop_if_next(record) || take_ahead(record)) {
      busy_ = true;
      return Next::kRecord;
    }
    if (overflowed_ && read_through_ < overflow_through_) {
      read_ahead(lock);
      continue;
    }
    if (overflowed_) {
      overflowed_ = false;  // caught up: under the lock, so nothing slips in between
      reader_.reset();      // dropped segments must not stay open
      continue;
    }
    if (!deadline) deadline = std::chrono::steady_clock::now() + std::min(timeout, kLongest);
    if (std::exchange(busy_, false) && timeout > kNap) {
      // More may come at once. Woken for each one, both threads would do little but switch.
      lock.unlock();
      std::this_thread::sleep_for(kNap);
      lock.lock();
      continue;
    }
    engine_waits_ = true;
    const bool timed_out = filled_.wait_until(lock, *deadline) == std::cv_status::timeout;
    engine_waits_ = false;
    if (timed_out && ring_.empty() && !overflowed_ && !closed_) return Next::kTimeout;
  }
}

// Reads one record beyond what the engine has; everything up to `target` was written before the
// lock was taken, so that not finding it means that it is gone.
void Intake::read_ahead(std::unique_lock<std::mutex>& lock) {
  const std::uint64_t target = overflow_through_;
  read_through_ = std::max(read_through_, overflow_from_ - 1);
  const std::uint64_t from = read_through_ + 1;
  lock.unlock();
  if (!reader_) reader_.emplace(options_.journal_dir, from, log_);
  const std::uint64_t missing = reader_->holes().records;
  auto more = reader_->next(ahead_);
  lock.lock();
  if (more && *more) {
    // Of what was there before us, the engine knows already.
    if (ahead_.sequence > found_through_) count_lost(reader_->holes().records - missing);
    read_through_ = ahead_.sequence;
    has_ahead_ = ahead_.sequence > taken_;
    return;
  }
  reader_.reset();
  give_up_on_journal(target);
  if (!more) log_.error(more.error().message());
}

void Intake::count_lost(std::uint64_t records) {
  if (records == 0) return;
  counts_.lost += records;
  log_.error(describe(reader_->holes()));
}

void Intake::give_up_on_journal(std::uint64_t through) {
  counts_.lost += through - read_through_;
  log_.error("records " + std::to_string(read_through_ + 1) + " to " + std::to_string(through) +
             " cannot be read back from the journal " + options_.journal_dir +
             "; the engine goes on behind them");
  read_through_ = through;
}

void Intake::close() {
  {
    const std::lock_guard lock{mutex_};
    closed_ = true;
  }
  filled_.notify_all();
}

IntakeStats Intake::stats() const {
  const std::lock_guard lock{mutex_};
  IntakeStats stats = counts_;
  stats.waiting = ring_.size();
  stats.bytes = ring_.bytes();
  stats.overflowed = overflowed_;
  return stats;
}

}  // namespace sluice::storage
