#include "storage/journal/recovery.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "storage/crash_point.hpp"
#include "storage/file.hpp"
#include "storage/journal/segment.hpp"
#include "storage/journal/segment_order.hpp"

namespace sluice::storage {
namespace {

bool may_not_be_read(const std::string& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0 && errno == EACCES;
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

class Recovery {
 public:
  Recovery(std::string dir, Log& log) : dir_{std::move(dir)}, log_{log} {}

  Result<RecoveredJournal> run() {
    auto names = list_segments(dir_);
    if (!names) return std::move(names).error();
    for (const SegmentName& name : *names) {
      // Not set aside: it is no fault of the file.
      if (may_not_be_read(name.path)) {
        leave_out(name, "may not be read; let the user that runs sluice read it (chown, chmod)");
      } else {
        take_in(name);
      }
    }
    for (const SegmentInfo& segment : put_in_order(found_.segments, dir_, log_)) {
      set_aside(segment.path, "its numbers do not fit between those of its neighbours");
    }
    if (!found_.segments.empty()) {
      found_.next_number = std::max(found_.next_number, found_.segments.back().number + 1);
    }
    read_tail();
    return std::move(found_);
  }

 private:
  void leave_out(const SegmentName& name, const std::string& why) {
    found_.next_number = name.number + 1;
    found_.numbers_unknown = true;
    found_.unreadable =
        "what journal segment " + name.path + " holds is not in the state: it " + why;
    log_.error(found_.unreadable);
  }

  void take_in(const SegmentName& name) {
    found_.next_number = name.number + 1;  // never reuse a number, whatever the file holds
    auto cursor = SegmentCursor::open(name.path);
    if (!cursor && cursor.error().code() == ErrorCode::kIo) {
      leave_out(name, "cannot be read (" + cursor.error().message() + "); check the disk");
      return;
    }
    if (!cursor) {
      set_aside(name.path, cursor.error().message());
      return;
    }
    const std::uint64_t size = cursor->file_size() ? *cursor->file_size() : 0;
    const SegmentHeader& header = cursor->header();
    switch (cursor->header_check()) {
      case HeaderCheck::kZero: take_zero(name, size); return;
      case HeaderCheck::kForeign:
        set_aside(name.path, "it does not begin like a journal segment");
        return;
      case HeaderCheck::kNewer:
        set_aside(name.path, "it is of format version " + std::to_string(header.version) +
                                 ", this program knows " + std::to_string(kJournalVersion) +
                                 "; a newer sluice can read it");
        return;
      case HeaderCheck::kSound: break;
    }
    found_.numbers_unknown = false;  // all before have smaller ones
    found_.segments.push_back(
        {name.number, name.path, header.first_sequence, header.created, size});
  }

  // A power cut may leave a file whose name arrived on the disk and whose bytes did not.
  void take_zero(const SegmentName& name, std::uint64_t size) {
    auto content = read_file(name.path);
    if (content && all_zero(*content)) {
      ::unlink(name.path.c_str());
      log_.info("journal segment " + name.path + " (" + std::to_string(size) +
                " bytes) was never written and is removed");
      return;
    }
    set_aside(name.path, "it does not begin like a journal segment");
  }

  void set_aside(const std::string& path, const std::string& why) {
    crash_point("journal.foreign.before-rename");
    auto kept = rename_aside(path, dir_ + "/foreign-" + file_name(path));
    crash_point("journal.foreign.after-rename");
    log_.error("journal segment " + path + " is not used: " + why + "; " +
               (kept ? "it is kept as " + *kept : kept.error().message()));
  }

  void read_tail() {
    if (found_.segments.empty()) return;
    std::size_t first = found_.segments.size() - 1;
    std::uint64_t bytes = found_.segments[first].bytes;
    while (first > 0 && bytes < kRedeliveryTail) bytes += found_.segments[--first].bytes;
    for (std::size_t n = first; n < found_.segments.size(); ++n) {
      read_segment(found_.segments[n], n + 1 == found_.segments.size() && !found_.numbers_unknown);
    }
  }

  void read_segment(SegmentInfo& segment, bool last) {
    found_.last_sequence =
        std::max(found_.last_sequence, std::max<std::uint64_t>(segment.first_sequence, 1) - 1);
    found_.last_time = std::max(found_.last_time, segment.created);
    found_.names = {};
    auto cursor = SegmentCursor::open(segment.path);
    if (!cursor) {
      log_.error(cursor.error().message());
      found_.numbers_unknown = found_.numbers_unknown || last;
      return;
    }
    std::vector<std::string> names;
    RawRecord record;
    for (;;) {
      const std::uint64_t before = cursor->offset();
      auto check = cursor->next(record);
      if (!check) {
        log_.error(check.error().message());
        found_.numbers_unknown = found_.numbers_unknown || last;
        return;  // not resumed: what cannot be read is not written on
      }
      if (*check != RecordCheck::kSound) break;
      if (!take_record(record, *cursor, names)) {
        end_segment(segment, before, last);
        return;
      }
    }
    end_segment(segment, cursor->offset(), last);
  }

  /// False if the record cannot be true although its checksum is.
  bool take_record(const RawRecord& record, const SegmentCursor& cursor,
                   std::vector<std::string>& names) {
    if (record.kind == JournalKind::kTopic) {
      if (names.size() <= record.topic) names.resize(record.topic + std::size_t{1});
      names[record.topic].assign(record.payload);
      found_.names.define(record.payload, record.topic);
      return true;
    }
    if (record.kind == JournalKind::kSkipped) return true;
    if (record.sequence <= found_.last_sequence) return false;
    found_.last_sequence = record.sequence;
    found_.last_time = std::max(found_.last_time, record.time);
    if (record.kind == JournalKind::kMessage) {
      const auto name = [&](std::uint16_t number) {
        return number < names.size() ? std::string_view{names[number]} : std::string_view{};
      };
      found_.window.add(RedeliveryWindow::entry(name(record.source), name(record.topic),
                                                record.packet_id, cursor.payload_crc(),
                                                record.payload.size()));
    }
    return true;
  }

  void end_segment(SegmentInfo& segment, std::uint64_t sound, bool last) {
    auto content = read_file(segment.path, sound);
    if (!content) {
      log_.error(content.error().message());
      return;
    }
    const std::string& rest = *content;
    const bool torn = !all_zero(rest);
    if (torn && !last) {
      log_.error("journal segment " + segment.path + " is damaged at byte " +
                 std::to_string(sound) + ": what is before is used, the " +
                 std::to_string(rest.size()) + " bytes from there on are left where they are");
    }
    if (!last) return;
    if (torn && !keep_tail(segment, sound, rest)) return;
    if (torn) crash_point("journal.torn.before-cut");
    if (!rest.empty() && ::truncate(segment.path.c_str(), static_cast<off_t>(sound)) != 0) {
      log_.error(system_error("cut", segment.path).message());
      return;
    }
    if (torn) crash_point("journal.torn.after-cut");
    segment.bytes = sound;
    found_.resume_at = sound;
  }

  bool keep_tail(const SegmentInfo& segment, std::uint64_t sound, const std::string& rest) {
    const std::string kept =
        dir_ + "/torn-" + file_name(segment.path) + "-" + std::to_string(sound);
    if (auto status = write_file(kept, rest); !status) {
      // Then it stays where it is, and the journal goes on in a new segment.
      log_.error("the torn end of journal segment " + segment.path +
                 " cannot be set aside: " + status.error().message());
      return false;
    }
    log_.warning("journal segment " + segment.path + " ends in " + std::to_string(rest.size()) +
                 " bytes that are no whole record (power cut or damage); they are kept as " + kept +
                 ", everything before is used");
    return true;
  }

  std::string dir_;
  Log& log_;
  RecoveredJournal found_;
};

}  // namespace

Result<RecoveredJournal> recover_journal(const std::string& dir, Log& log) {
  return Recovery{dir, log}.run();
}

}  // namespace sluice::storage
