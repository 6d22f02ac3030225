#include "storage/journal/segment.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <memory>

namespace sluice::storage {
namespace {

constexpr std::string_view kSuffix = ".log";
constexpr std::size_t kDigits = 8;
constexpr std::size_t kBufferSize = std::size_t{256} << 10U;

bool parse_name(std::string_view name, std::uint64_t& number) {
  if (name.size() < kDigits + kSuffix.size() || !name.ends_with(kSuffix)) return false;
  const char* end = name.data() + name.size() - kSuffix.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  return error == std::errc{} && stop == end;
}

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

}  // namespace

std::string segment_path(const std::string& dir, std::uint64_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < kDigits) digits.insert(0, kDigits - digits.size(), '0');
  return dir + "/" + digits + std::string{kSuffix};
}

Result<std::vector<SegmentName>> list_segments(const std::string& dir) {
  std::vector<SegmentName> names;
  const std::unique_ptr<DIR, CloseDir> listing{::opendir(dir.c_str())};
  if (!listing && errno == ENOENT) return names;
  if (!listing) return system_error("list journal", dir);
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(listing.get());
    if (entry == nullptr && errno != 0) return system_error("list journal", dir);
    if (entry == nullptr) break;
    std::uint64_t number = 0;
    const std::string name{static_cast<const char*>(entry->d_name)};
    if (parse_name(name, number)) names.push_back({number, dir + "/" + name});
  }
  std::sort(names.begin(), names.end(),
            [](const SegmentName& a, const SegmentName& b) { return a.number < b.number; });
  return names;
}

Result<SegmentCursor> SegmentCursor::open(const std::string& path) {
  SegmentCursor cursor;
  cursor.path_ = path;
  auto file = File::open(path, O_RDONLY);
  if (!file) return std::move(file).error();
  cursor.file_ = std::move(*file);
  char head[kSegmentHeaderSize];
  auto got = read_at(cursor.file_, path, 0, head, sizeof head);
  if (!got) return std::move(got).error();
  cursor.check_ = decode_segment_header({head, *got}, cursor.header_);
  return cursor;
}

Result<std::uint64_t> SegmentCursor::file_size() const {
  struct stat status {};
  if (::fstat(file_.fd(), &status) != 0) return system_error("stat", path_);
  return static_cast<std::uint64_t>(status.st_size);
}

Result<RecordCheck> SegmentCursor::next(RawRecord& record) {
  for (;;) {
    const std::string_view rest = std::string_view{buffer_}.substr(position_);
    std::size_t needed = 0;
    const RecordCheck check = decode_record(rest, record, needed, payload_crc_);
    if (check == RecordCheck::kSound) {
      position_ += record.size();
      offset_ += record.size();
      return check;
    }
    if (check != RecordCheck::kIncomplete) {
      // What was read may have been half of a write; forget it, so that the next call looks anew.
      buffer_.clear();
      position_ = 0;
      return check;
    }
    auto more = refill(needed);
    if (!more) return std::move(more).error();
    if (!*more) return RecordCheck::kIncomplete;
  }
}

Result<bool> SegmentCursor::refill(std::size_t needed) {
  auto size = file_size();
  if (!size) return std::move(size).error();
  // A length that points beyond the file must not make us reserve memory for it.
  if (*size < offset_ + needed) return false;
  buffer_.resize(static_cast<std::size_t>(
      std::min<std::uint64_t>(*size - offset_, std::max(needed, kBufferSize))));
  position_ = 0;
  auto got = read_at(file_, path_, offset_, buffer_.data(), buffer_.size());
  buffer_.resize(got ? *got : 0);
  if (!got) return std::move(got).error();
  return *got >= needed;
}

}  // namespace sluice::storage
