#include "storage/journal/reader.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "storage/journal/marks.hpp"

namespace sluice::storage {

namespace {
constexpr int kTries = 5;
constexpr std::chrono::milliseconds kBetweenTries{20};
}  // namespace

std::string describe(const JournalHoles& holes) {
  std::string text = "records " + std::to_string(holes.from) + " to " + std::to_string(holes.to) +
                     " of the journal are missing before " + holes.before;
  if (holes.count > 1) {
    text += ", and more behind it: " + std::to_string(holes.records) + " in " +
            std::to_string(holes.count) + " holes";
  }
  return text +
         "; a file of it was removed, renamed or damaged, and what these records held is not in "
         "the state; see who changes files there, and check the disk";
}

JournalReader::JournalReader(std::string dir, std::uint64_t from, Log& log)
    : dir_{std::move(dir)}, from_{from}, expected_{from != 0}, log_{log} {}

Result<bool> JournalReader::next(JournalRecord& record) {
  for (int tries = 1;; ++tries) {
    unreadable_.reset();
    auto found = look(record);
    if (found || !unreadable_) return found;
    if (tries < kTries) {
      std::this_thread::sleep_for(kBetweenTries);
      continue;
    }
    auto left = leave_unreadable(found.error());
    if (!left || !*left) return left;
    tries = 0;
  }
}

/// False if there is nothing behind it.
Result<bool> JournalReader::leave_unreadable(const Error& why) {
  log_.error(
      "a journal segment cannot be read; what it holds is left out, and reading goes on in "
      "the next one: " +
      why.message());
  ++damaged_;
  left_out_.insert(*unreadable_);
  if (!cursor_ || number_ != *unreadable_) return true;
  for (;;) {
    unreadable_.reset();
    auto opened = open_next();
    if (opened || !unreadable_) return opened;
    left_out_.insert(*unreadable_);
  }
}

Result<bool> JournalReader::look(JournalRecord& record) {
  if (!cursor_) {
    auto opened = open_first();
    if (!opened || !*opened) return opened;
  }
  // Set once a later segment is known to exist: then what this one holds is all there will be.
  bool finished = false;
  for (;;) {
    RawRecord raw;
    auto check = cursor_->next(raw);
    if (!check) {
      unreadable_ = number_;
      return std::move(check).error();
    }
    if (*check == RecordCheck::kSound) {
      if (take(raw, record)) return true;
      continue;
    }
    auto names = list_segments(dir_);
    if (!names) return std::move(names).error();
    if (names->empty() || names->back().number <= number_) return false;
    if (!finished) {
      // The record that was half written a moment ago may be whole by now: look once more.
      finished = true;
      continue;
    }
    const std::string path = cursor_->path();
    const std::uint64_t end = cursor_->offset();
    const bool torn = *check != RecordCheck::kZero && cursor_->file_size().has_value() &&
                      *cursor_->file_size() > end;
    auto opened = open_next();
    if (!opened || !*opened) return opened;
    if (torn) {
      ++damaged_;
      log_.error("journal segment " + path + " cannot be read from byte " + std::to_string(end) +
                 " on; reading goes on in the next one");
    }
    finished = false;
  }
}

bool JournalReader::take(const RawRecord& raw, JournalRecord& record) {
  if (raw.kind == JournalKind::kTopic) {
    if (names_.size() <= raw.topic) names_.resize(raw.topic + std::size_t{1});
    names_[raw.topic].assign(raw.payload);
    return false;
  }
  if (raw.kind == JournalKind::kSkipped) {
    if (const auto last = decode_skipped(raw.payload)) {
      skipped_before_ = raw.sequence;
      last_stored_ = *last;
    }
    return false;
  }
  if (raw.sequence < from_) return false;
  note_hole(raw.sequence);
  from_ = raw.sequence + 1;
  JournalRecordView view;
  view.sequence = raw.sequence;
  view.time = raw.time;
  view.kind = raw.kind;
  view.flags = raw.flags;
  view.packet_id = raw.packet_id;
  view.source = name(raw.source);
  view.topic = name(raw.topic);
  view.payload = raw.payload;
  record.assign(view);
  return true;
}

void JournalReader::note_hole(std::uint64_t next) {
  if (!std::exchange(expected_, true) || next == from_) return;
  const std::uint64_t last = skipped_before_ == next ? std::min(last_stored_, next - 1) : next - 1;
  if (last < from_) return;
  ++holes_.count;
  holes_.records += last - from_ + 1;
  if (holes_.count > 1) return;
  holes_.from = from_;
  holes_.to = last;
  holes_.before = cursor_->path();
}

std::string_view JournalReader::name(std::uint16_t number) const {
  return number < names_.size() ? std::string_view{names_[number]} : std::string_view{};
}

Result<bool> JournalReader::open(const SegmentName& name) {
  if (left_out_.contains(name.number)) return false;
  auto cursor = SegmentCursor::open(name.path);
  if (!cursor) {
    // Dropped between listing and opening: as if it had not been listed.
    if (cursor.error().code() == ErrorCode::kNotFound) return false;
    unreadable_ = name.number;
    return std::move(cursor).error();
  }
  if (cursor->header_check() != HeaderCheck::kSound) return false;
  cursor_ = std::move(*cursor);
  number_ = name.number;
  names_.clear();
  return true;
}

Result<bool> JournalReader::open_first() {
  auto names = list_segments(dir_);
  if (!names) return std::move(names).error();
  // From the newest back: the first one that begins at or before the wanted record.
  for (auto name = names->rbegin(); name != names->rend(); ++name) {
    auto opened = open(*name);
    if (!opened) {
      cursor_.reset();  // that of a newer one: the next call must not go on there
      return opened;
    }
    if (*opened && cursor_->header().first_sequence <= from_) return true;
  }
  return cursor_.has_value();  // all begin later: the oldest sound one
}

Result<bool> JournalReader::open_next() {
  auto names = list_segments(dir_);
  if (!names) return std::move(names).error();
  for (const SegmentName& name : *names) {
    if (name.number <= number_) continue;
    auto opened = open(name);
    if (!opened || *opened) return opened;
  }
  return false;
}

}  // namespace sluice::storage
