#include "storage/journal/segment_order.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>

#include "storage/journal/segment.hpp"

namespace sluice::storage {
namespace {

using Segments = std::deque<SegmentInfo>;

/// Those that are not in the longest run of rising sequences; they leave `segments`.
std::vector<SegmentInfo> take_out_of_order(Segments& segments) {
  const auto rises = [&](std::size_t a, std::size_t b) {
    return segments[a].first_sequence <= segments[b].first_sequence;
  };
  bool sorted = true;
  for (std::size_t n = 1; n < segments.size(); ++n) sorted = sorted && rises(n - 1, n);
  if (sorted) return {};
  // Some hundred segments at most, and hardly ever: the plain way, each with its best predecessor.
  std::vector<std::size_t> length(segments.size(), 1);
  std::vector<std::size_t> before(segments.size(), segments.size());
  std::size_t end = 0;
  for (std::size_t n = 0; n < segments.size(); ++n) {
    for (std::size_t m = 0; m < n; ++m) {
      if (!rises(m, n) || length[m] + 1 <= length[n]) continue;
      length[n] = length[m] + 1;
      before[n] = m;
    }
    // Among equals the newest counts: of the rest, it needs least that is not there.
    const bool newer = length[n] == length[end] && !rises(n, end);
    if (length[n] > length[end] || newer) end = n;
  }
  std::vector<bool> stays(segments.size(), false);
  for (std::size_t n = end; n < segments.size(); n = before[n]) stays[n] = true;
  Segments left;
  std::vector<SegmentInfo> out;
  for (std::size_t n = 0; n < segments.size(); ++n) {
    if (stays[n]) {
      left.push_back(std::move(segments[n]));
    } else {
      out.push_back(std::move(segments[n]));
    }
  }
  segments = std::move(left);
  return out;
}

std::uint64_t last_sequence_in(const SegmentInfo& segment) {
  auto cursor = SegmentCursor::open(segment.path);
  RawRecord record;
  std::uint64_t last = 0;
  while (cursor) {
    const auto check = cursor->next(record);
    if (!check || *check != RecordCheck::kSound) break;
    last = record.sequence;
  }
  return last;
}

/// Whether it holds exactly what lies between these two, of which one may be missing.
bool fits(const SegmentInfo& segment, const SegmentInfo* in_front, const SegmentInfo* behind) {
  const bool begins =
      in_front == nullptr || last_sequence_in(*in_front) + 1 == segment.first_sequence;
  return begins && (behind == nullptr || last_sequence_in(segment) + 1 == behind->first_sequence);
}

bool put_in_place(SegmentInfo segment, Segments& segments, const std::string& dir, Log& log) {
  const auto place = std::find_if(segments.begin(), segments.end(), [&](const SegmentInfo& other) {
    return other.first_sequence > segment.first_sequence;
  });
  const SegmentInfo* const behind = place == segments.end() ? nullptr : &*place;
  const SegmentInfo* const in_front = place == segments.begin() ? nullptr : &*std::prev(place);
  if (behind == nullptr && in_front == nullptr) return false;
  if (in_front == nullptr && behind->number == 0) return false;
  segment.number = in_front != nullptr ? in_front->number + 1 : behind->number - 1;
  if (behind != nullptr && segment.number >= behind->number) return false;
  const std::string path = segment_path(dir, segment.number);
  struct stat taken {};
  if (::lstat(path.c_str(), &taken) == 0 || !fits(segment, in_front, behind)) return false;
  if (::rename(segment.path.c_str(), path.c_str()) != 0) return false;
  log.warning("journal segment " + segment.path + " holds what is missing at " + path +
              " and got that name; somebody had renamed it");
  segment.path = path;
  segments.insert(place, std::move(segment));
  return true;
}

}  // namespace

std::vector<SegmentInfo> put_in_order(Segments& segments, const std::string& dir, Log& log) {
  std::vector<SegmentInfo> left_over;
  for (SegmentInfo& segment : take_out_of_order(segments)) {
    if (!put_in_place(segment, segments, dir, log)) left_over.push_back(std::move(segment));
  }
  return left_over;
}

}  // namespace sluice::storage
