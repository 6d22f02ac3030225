#include "storage/journal/reader.hpp"

namespace sluice::storage {

JournalReader::JournalReader(std::string dir, std::uint64_t from, Log& log)
    : dir_{std::move(dir)}, from_{from}, log_{log} {}

Result<bool> JournalReader::next(JournalRecord& record) {
  if (!cursor_) {
    auto opened = open_first();
    if (!opened || !*opened) return opened;
  }
  // Set once a later segment is known to exist: then what this one holds is all there will be.
  bool finished = false;
  for (;;) {
    RawRecord raw;
    auto check = cursor_->next(raw);
    if (!check) return std::move(check).error();
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
  if (raw.sequence < from_) return false;
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

std::string_view JournalReader::name(std::uint16_t number) const {
  return number < names_.size() ? std::string_view{names_[number]} : std::string_view{};
}

Result<bool> JournalReader::open(const SegmentName& name) {
  auto cursor = SegmentCursor::open(name.path);
  if (!cursor) {
    // Dropped between listing and opening: as if it had not been listed.
    if (cursor.error().code() == ErrorCode::kNotFound) return false;
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
