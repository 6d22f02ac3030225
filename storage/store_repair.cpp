// What becomes of the checkpoint store while the daemon runs: noticing that somebody else has had
// the file, getting at it again, writing it anew.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "storage/checkpoint_store.hpp"
#include "storage/crash_point.hpp"
#include "storage/file.hpp"
#include "storage/schema.hpp"
#include "storage/store_files.hpp"

namespace sluice::storage {
namespace {

constexpr const char* kLogSuffix = "-wal";

Error touched(const std::string& path, const std::string& what) {
  return Error{ErrorCode::kCorrupt, "database " + path + " " + what + " while sluice was using it"};
}

Status unreadable(const FileMark& mark, const std::string& path) {
  return Error{ErrorCode::kIo,
               "look at " + path + ": " + std::generic_category().message(mark.error)};
}

}  // namespace

void CheckpointStore::note_files() {
  file_ = mark_of(path());
  log_ = mark_of(path() + kLogSuffix);
}

// SQLite goes on writing to a file that has no name any more, or that somebody has written over,
// and says that all is well. What a restart would find there must be noticed here.
Status CheckpointStore::check_untouched() {
  const FileMark file = mark_of(path());
  if (file.error == ENOENT) return touched(path(), "was removed");
  if (file.error != 0) return unreadable(file, path());
  if (!file.is_file_of(file_)) return touched(path(), "was replaced by another file");
  if (log_.error == 0) {
    const FileMark log = mark_of(path() + kLogSuffix);
    if (log.error == ENOENT) return touched(path() + kLogSuffix, "was removed");
    if (log.error != 0) return unreadable(log, path() + kLogSuffix);
    if (!log.is_file_of(log_)) return touched(path() + kLogSuffix, "was replaced by another file");
    if (!(log == log_)) return check_content();
  }
  return file == file_ ? Status{} : check_content();
}

// By a connection of its own: ours has pages in memory that are not on the disk any more.
Status CheckpointStore::check_content() {
  DatabaseOptions read_only;
  read_only.read_only = true;
  auto database = open_checked(path(), read_only);
  if (!database) {
    if (database.error().code() != ErrorCode::kCorrupt) return std::move(database).error();
    return touched(path(), "was damaged (" + database.error().message() + ")");
  }
  auto sequence = sequence_of(*database);
  if (!sequence) return std::move(sequence).error();
  if (written_sequence_ && *sequence != *written_sequence_) {
    return touched(path(), "was overwritten with another checkpoint");
  }
  note_files();
  return {};
}

Result<OpenedStore> CheckpointStore::rebuild(const std::string& path, const std::string& reason,
                                             const CheckpointMeta& meta,
                                             const CheckpointDelta& delta,
                                             std::span<const Publication> outbox, Log& log,
                                             const DatabaseOptions& options) {
  const std::string fresh = path + ".rebuilt";
  const auto remove_fresh = [&] {
    for (const char* suffix : {"", kLogSuffix, "-shm"}) ::unlink((fresh + suffix).c_str());
  };
  remove_fresh();
  {
    auto database = Database::open(fresh, options);
    if (!database) return std::move(database).error();
    Status status = migrate(*database, migrations());
    if (status) {
      CheckpointStore store{std::move(*database)};
      store.note_files();
      status = store.write(meta, delta, outbox);
    }
    if (!status) {
      remove_fresh();
      return std::move(status).error();
    }
  }  // closed: its log is in it now
  crash_point("rebuild.before-set-aside");
  auto kept = set_database_aside(path);
  if (!kept) return std::move(kept).error();
  crash_point("rebuild.after-set-aside");
  if (::rename(fresh.c_str(), path.c_str()) != 0) return system_error("put in place", path);
  crash_point("rebuild.after-restore");
  SLUICE_RETURN_IF_ERROR(sync_directory(directory_of(path)));
  auto opened = open(path, log, options);
  if (!opened) return opened;
  opened->store->written_sequence_ = meta.journal_sequence;
  opened->outcome = StoreOutcome::kRebuilt;
  opened->notice = reason + (kept->empty() ? "" : "; it is kept as " + *kept) +
                   "; a new one was written with all that was in memory, nothing is lost";
  log.error(opened->notice);
  return opened;
}

Status CheckpointStore::reopen() {
  SLUICE_RETURN_IF_ERROR(check_untouched());
  // Closed first: SQLite has one index of the log for all of a process, and a read-only one stays.
  database_.close();
  DatabaseOptions existing = database_.options();
  existing.create = false;
  auto database = Database::open(path(), existing);
  if (!database) return std::move(database).error();
  database_ = std::move(*database);
  note_files();
  return {};
}

Result<LoadedCheckpoint> CheckpointStore::load_copy(const std::string& path,
                                                    const DatabaseOptions& options) {
  DatabaseOptions read_only = options;
  read_only.read_only = true;
  const std::string copy = copy_path(path);
  if (!path_exists(copy)) return Error{ErrorCode::kNotFound, copy + " does not exist"};
  auto database = open_checked(copy, read_only);
  if (!database) return std::move(database).error();
  return CheckpointStore{std::move(*database)}.load();
}

Status CheckpointStore::probe(const std::string& path, const DatabaseOptions& options) {
  if (!path_exists(path)) {
    // To be made anew: then it is the folder that must let us.
    const std::string attempt = path + ".probe";
    auto file = File::open(attempt, O_RDWR | O_CREAT);
    ::unlink(attempt.c_str());
    return file ? Status{} : Status{std::move(file).error()};
  }
  DatabaseOptions existing = options;
  existing.create = false;
  // All of it is read, as open() does: one bad sector must not look like a sound file here.
  auto database = open_checked(path, existing);
  Status status = database ? database->execute("BEGIN IMMEDIATE; ROLLBACK") : database.error();
  return !status && status.error().code() == ErrorCode::kCorrupt ? Status{} : status;
}

}  // namespace sluice::storage
