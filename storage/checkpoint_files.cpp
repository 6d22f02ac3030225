// The checkpoint store's dealings with files: opening, judging, setting aside, copying.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "storage/checkpoint_store.hpp"
#include "storage/crash_point.hpp"
#include "storage/file.hpp"
#include "storage/schema.hpp"
#include "storage/store_files.hpp"

namespace sluice::storage {

/// One run of CheckpointStore::open.
class StoreOpening {
 public:
  StoreOpening(std::string path, Log& log, const DatabaseOptions& options)
      : path_{std::move(path)}, log_{log}, options_{options} {}

  Result<OpenedStore> open() {
    struct stat status {};
    if (::stat(path_.c_str(), &status) != 0) {
      if (errno != ENOENT) return system_error("look at", path_);
      // What it left behind would be taken for the log of whatever takes its place.
      if (auto kept = set_database_aside(path_); !kept) return std::move(kept).error();
      return path_exists(copy_path(path_)) ? from_copy("database " + path_ + " is gone") : create();
    }
    if (!S_ISREG(status.st_mode)) return replace("database " + path_ + " is not a file");
    // Without a copy it is what a first start leaves that did not get far.
    if (status.st_size == 0 && path_exists(copy_path(path_))) {
      return replace("database " + path_ + " is an empty file");
    }
    if (status.st_size == 0) {
      notice_ = "database " + path_ + " was an empty file: started without state";
      log_.warning(notice_);
      return create();
    }
    auto database = open_checked(path_, options_);
    if (!database && database.error().code() == ErrorCode::kCorrupt) {
      // To SQLite's check a read that the disk refused once is damage like any other.
      database = open_checked(path_, options_);
    }
    if (database) return finish(std::move(*database), StoreOutcome::kOpened);
    if (database.error().code() != ErrorCode::kCorrupt) return std::move(database).error();
    return replace(database.error().message());
  }

  Result<OpenedStore> replace(const std::string& reason) {
    auto kept = set_database_aside(path_);
    if (!kept) return std::move(kept).error();
    crash_point("quarantine.after-rename");
    return from_copy(reason + "; it is kept as " + *kept);
  }

 private:
  Result<OpenedStore> create() {
    auto database = Database::open(path_, options_);
    if (!database) return std::move(database).error();
    return finish(std::move(*database), StoreOutcome::kCreated);
  }

  Result<OpenedStore> from_copy(const std::string& what_happened) {
    auto copied = install_copy();
    if (copied) {
      auto database = open_checked(path_, options_);
      if (!database) return std::move(database).error();
      notice_ = what_happened + "; the previous copy is used in its place";
      log_.error(notice_);
      return finish(std::move(*database), StoreOutcome::kFromCopy);
    }
    notice_ = what_happened + "; no sound copy exists (" + copied.error().message() +
              "), started without state";
    log_.error(notice_);
    auto opened = create();
    if (opened) opened->outcome = StoreOutcome::kStartedAfresh;
    return opened;
  }

  // The copy stays where it is: the next damage may come before the next copy.
  Status install_copy() {
    const std::string copy = copy_path(path_);
    const std::string restoring = path_ + ".restoring";
    if (!path_exists(copy)) return Error{ErrorCode::kNotFound, copy + " does not exist"};
    ::unlink(restoring.c_str());
    {
      DatabaseOptions read_only = options_;
      read_only.read_only = true;
      auto source = open_checked(copy, read_only);
      if (!source) return std::move(source).error();
      SLUICE_RETURN_IF_ERROR(source->copy_to(restoring));
    }
    crash_point("quarantine.before-restore");
    if (::rename(restoring.c_str(), path_.c_str()) != 0) return system_error("restore", path_);
    crash_point("quarantine.after-restore");
    return sync_directory(directory_of(path_));
  }

  Result<OpenedStore> finish(Database database, StoreOutcome outcome) {
    SLUICE_RETURN_IF_ERROR(migrate(database, migrations()));
    OpenedStore opened;
    opened.store.reset(new CheckpointStore{std::move(database)});
    opened.outcome = outcome;
    opened.notice = notice_;
    opened.store->copy_sequence_ = look_at_copy();
    opened.store->note_files();
    return opened;
  }

  std::optional<std::uint64_t> look_at_copy() {
    if (!path_exists(copy_path(path_))) return std::nullopt;
    DatabaseOptions read_only = options_;
    read_only.read_only = true;
    auto copy = Database::open(copy_path(path_), read_only);
    if (!copy) return std::nullopt;
    auto sequence = sequence_of(*copy);
    if (!sequence) return std::nullopt;
    return *sequence;
  }

  std::string path_;
  Log& log_;
  DatabaseOptions options_;
  std::string notice_;
};

Result<OpenedStore> CheckpointStore::open(const std::string& path, Log& log,
                                          const DatabaseOptions& options) {
  return StoreOpening{path, log, options}.open();
}

Result<OpenedStore> CheckpointStore::replace(const std::string& path, const std::string& reason,
                                             Log& log, const DatabaseOptions& options) {
  return StoreOpening{path, log, options}.replace(reason);
}

Status CheckpointStore::keep_copy() {
  // A damaged original must not replace a sound copy.
  SLUICE_RETURN_IF_ERROR(database_.quick_check());
  auto sequence = sequence_of(database_);
  if (!sequence) return std::move(sequence).error();
  const std::string copy = copy_path(path());
  const std::string fresh = copy + ".new";
  crash_point("checkpoint.copy.before-write");
  ::unlink(fresh.c_str());
  if (auto status = database_.copy_to(fresh); !status) {
    ::unlink(fresh.c_str());
    return status;
  }
  crash_point("checkpoint.copy.before-rename");
  if (::rename(fresh.c_str(), copy.c_str()) != 0) return system_error("rename to", copy);
  crash_point("checkpoint.copy.after-rename");
  SLUICE_RETURN_IF_ERROR(sync_directory(directory_of(path())));
  copy_sequence_ = *sequence;
  return {};
}

std::uint64_t CheckpointStore::bytes() const {
  std::uint64_t total = 0;
  for (const char* suffix : {"", "-wal"}) {
    struct stat status {};
    if (::stat((path() + suffix).c_str(), &status) == 0) {
      total += static_cast<std::uint64_t>(status.st_size);
    }
  }
  return total;
}

}  // namespace sluice::storage
