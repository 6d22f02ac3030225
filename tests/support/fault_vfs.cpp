#include "tests/support/fault_vfs.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "storage/sqlite/passing_file.hpp"
#include "tests/support/temp_dir.hpp"

namespace sluice::test {
namespace {

using storage::methods_of;
using storage::real_of;

constexpr std::size_t kSector = 512;

/// A write or a truncation that no sync has followed yet.
struct Change {
  std::size_t offset{};  ///< of a truncation: the new size
  std::optional<std::string> bytes;
};

/// One file, whatever its name is.
struct Tracked {
  std::optional<std::string> durable;  ///< none: not even its name is
  std::vector<Change> unsynced;
};

struct Removed {
  std::string path;
  std::string durable;
};

using Identity = std::pair<dev_t, ino_t>;

std::optional<Identity> identity_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

void apply(std::string& content, const Change& change, std::size_t from, std::size_t size) {
  const std::size_t at = change.offset + from;
  if (content.size() < at + size) content.resize(at + size, '\0');
  content.replace(at, size, *change.bytes, from, size);
}

/// The VFS that does the work, and what is known of its files.
struct State {
  sqlite3_vfs* real{};
  sqlite3_vfs shim{};
  Fault fault{Fault::kNone};
  std::uint64_t left{};  ///< operations until it strikes
  bool lasting{};
  bool fired{};
  bool dead{};  ///< no power
  std::map<Identity, std::shared_ptr<Tracked>> files;
  std::vector<Removed> removed;

  /// Whether this operation meets the armed fault.
  bool strikes(Fault kind) {
    if (fault != kind) return false;
    if (left > 1) {
      --left;
      return false;
    }
    if (left == 0 && !lasting) return false;
    left = 0;
    fired = true;
    return true;
  }
  bool cut() {
    if (dead) return true;
    if (strikes(Fault::kPowerCut)) dead = true;
    return dead;
  }
};

State& state() {
  static State the_state;
  return the_state;
}

struct FaultFile : storage::PassingFile {
  std::shared_ptr<Tracked>* tracked;  ///< owned; none for files without a name
  bool syncs_folder;                  ///< with its first sync
};

FaultFile& of(sqlite3_file* file) { return *static_cast<FaultFile*>(file); }

int on_close(sqlite3_file* file) {
  delete of(file).tracked;
  of(file).tracked = nullptr;
  return methods_of(file).xClose(real_of(file));
}

int on_read(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  if (state().dead || state().strikes(Fault::kRead)) return SQLITE_IOERR_READ;
  return methods_of(file).xRead(real_of(file), to, size, offset);
}

int write_through(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  if (of(file).tracked != nullptr) {
    (*of(file).tracked)
        ->unsynced.push_back(
            {static_cast<std::size_t>(offset),
             std::string{static_cast<const char*>(from), static_cast<std::size_t>(size)}});
  }
  return methods_of(file).xWrite(real_of(file), from, size, offset);
}

int on_write(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  if (state().dead) return SQLITE_IOERR_WRITE;
  if (state().cut()) {
    write_through(file, from, size, offset);  // on its way when the light went out
    return SQLITE_IOERR_WRITE;
  }
  const bool broken = state().strikes(Fault::kWrite);
  if (broken || state().strikes(Fault::kFull)) {
    write_through(file, from, size / 2, offset);
    return broken ? SQLITE_IOERR_WRITE : SQLITE_FULL;
  }
  return write_through(file, from, size, offset);
}

int on_truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (state().cut()) return SQLITE_IOERR_TRUNCATE;
  if (state().strikes(Fault::kTruncate)) return SQLITE_IOERR_TRUNCATE;
  if (of(file).tracked != nullptr) {
    (*of(file).tracked)->unsynced.push_back({static_cast<std::size_t>(size), std::nullopt});
  }
  return methods_of(file).xTruncate(real_of(file), size);
}

int on_sync(sqlite3_file* file, int) {
  if (state().cut()) return SQLITE_IOERR_FSYNC;
  if (state().strikes(Fault::kSync)) return SQLITE_IOERR_FSYNC;
  if (of(file).tracked == nullptr) return SQLITE_OK;
  Tracked& tracked = **of(file).tracked;
  if (!tracked.durable) {
    tracked.durable.emplace();
    // SQLite syncs the folder as well with the first sync of a journal or log.
    if (of(file).syncs_folder) state().removed.clear();
  }
  for (const Change& change : tracked.unsynced) {
    if (change.bytes) {
      apply(*tracked.durable, change, 0, change.bytes->size());
    } else {
      tracked.durable->resize(change.offset, '\0');
    }
  }
  tracked.unsynced.clear();
  return SQLITE_OK;  // the real one would only cost time
}

int on_size(sqlite3_file* file, sqlite3_int64* size) {
  if (state().dead) return SQLITE_IOERR_FSTAT;
  return methods_of(file).xFileSize(real_of(file), size);
}
int on_control(sqlite3_file* file, int what, void* with) {
  // May write past us otherwise.
  if (what == SQLITE_FCNTL_SIZE_HINT || what == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_OK;
  return methods_of(file).xFileControl(real_of(file), what, with);
}
int on_sector_size(sqlite3_file*) { return kSector; }

const sqlite3_io_methods& fault_methods() {
  static const sqlite3_io_methods methods = [] {
    sqlite3_io_methods table = storage::passing_methods();
    table.xClose = on_close;
    table.xRead = on_read;
    table.xWrite = on_write;
    table.xTruncate = on_truncate;
    table.xSync = on_sync;
    table.xFileSize = on_size;
    table.xFileControl = on_control;
    table.xSectorSize = on_sector_size;
    return table;
  }();
  return methods;
}

int on_open(sqlite3_vfs*, const char* path, sqlite3_file* file, int flags, int* out_flags) {
  auto& ours = storage::begin_passing<FaultFile>(file);
  ours.tracked = nullptr;
  ours.syncs_folder = (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) != 0;
  if (state().dead || state().strikes(Fault::kOpen)) return SQLITE_CANTOPEN;
  const bool existed = path != nullptr && identity_of(path).has_value();
  const int result = state().real->xOpen(state().real, path, ours.real, flags, out_flags);
  if (result != SQLITE_OK) return result;
  ours.pMethods = &fault_methods();
  if (path == nullptr) return SQLITE_OK;
  const auto identity = identity_of(path);
  if (!identity) return SQLITE_OK;
  auto& tracked = state().files[*identity];
  if (!existed || !tracked) {
    tracked = std::make_shared<Tracked>();
    if (existed) tracked->durable = read_file(path);
  }
  ours.tracked = new std::shared_ptr<Tracked>{tracked};
  return SQLITE_OK;
}

int on_delete(sqlite3_vfs*, const char* path, int sync_folder) {
  if (state().cut()) return SQLITE_IOERR_DELETE;
  const auto identity = identity_of(path);
  if (identity) {
    const auto found = state().files.find(*identity);
    if (found != state().files.end()) {
      std::erase_if(state().removed, [&](const Removed& one) { return one.path == path; });
      if (found->second->durable && sync_folder == 0) {
        state().removed.push_back({path, *found->second->durable});
      }
      state().files.erase(found);
    }
  }
  return state().real->xDelete(state().real, path, sync_folder);
}

int on_access(sqlite3_vfs*, const char* path, int flags, int* found) {
  if (state().dead) return SQLITE_IOERR_ACCESS;
  return state().real->xAccess(state().real, path, flags, found);
}
int on_full_path(sqlite3_vfs*, const char* path, int size, char* out) {
  return state().real->xFullPathname(state().real, path, size, out);
}

using Pread = ssize_t (*)(int, void*, std::size_t, off_t);

ssize_t short_pread(int fd, void* to, std::size_t size, off_t offset) {
  if (state().strikes(Fault::kShortRead) && size > 1) size = size / 2 + size % 7 % (size / 2);
  return ::pread(fd, to, size, offset);
}

sqlite3_syscall_ptr as_syscall(Pread function) {
  return reinterpret_cast<sqlite3_syscall_ptr>(function);
}

void rewrite(const std::filesystem::path& path, const std::string& content) {
  std::ofstream file{path, std::ios::binary | std::ios::trunc};
  file << content;
}

/// What the disk made of one file.
std::optional<std::string> left_of(const Tracked& tracked, Unsynced unsynced,
                                   std::mt19937_64& random) {
  const auto coin = [&random] { return random() % 2 == 0; };
  if (unsynced == Unsynced::kLost) return tracked.durable;
  if (!tracked.durable && coin()) return std::nullopt;
  std::string content = tracked.durable.value_or("");
  for (const Change& change : tracked.unsynced) {
    if (!change.bytes) {
      if (coin()) content.resize(change.offset, '\0');
      continue;
    }
    for (std::size_t at = 0; at < change.bytes->size();) {
      const std::size_t size =
          std::min(kSector - (change.offset + at) % kSector, change.bytes->size() - at);
      if (coin()) apply(content, change, at, size);
      at += size;
    }
  }
  return content;
}

}  // namespace

FaultVfs& FaultVfs::instance() {
  static FaultVfs vfs;
  State& the = state();
  if (the.real != nullptr) return vfs;
  the.real = sqlite3_vfs_find(nullptr);
  the.shim = *the.real;
  the.shim.zName = "fault";
  the.shim.szOsFile = storage::size_in_front_of<FaultFile>(*the.real);
  the.shim.pNext = nullptr;
  the.shim.xOpen = on_open;
  the.shim.xDelete = on_delete;
  the.shim.xAccess = on_access;
  the.shim.xFullPathname = on_full_path;
  for (const char* name : {"pread", "pread64"}) {
    the.real->xSetSystemCall(the.real, name, as_syscall(short_pread));
  }
  sqlite3_vfs_register(&the.shim, 1);
  return vfs;
}

void FaultVfs::arm(Fault fault, std::uint64_t nth, bool lasting) {
  State& the = state();
  the.fault = fault;
  the.left = nth;
  the.lasting = lasting || fault == Fault::kShortRead;
  the.fired = false;
}

bool FaultVfs::disarm() {
  state().fault = Fault::kNone;
  return state().fired;
}

void FaultVfs::power_on(const std::filesystem::path& folder, Unsynced unsynced,
                        std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());  // the same seed, the same sectors
  for (const auto& path : paths) {
    const auto identity = identity_of(path.string());
    const auto found = identity ? state().files.find(*identity) : state().files.end();
    if (found == state().files.end()) continue;
    const auto content = left_of(*found->second, unsynced, random);
    if (content) {
      rewrite(path, *content);
    } else {
      std::filesystem::remove(path);
    }
  }
  for (const Removed& removed : state().removed) {
    const bool back = unsynced == Unsynced::kLost || random() % 2 == 0;
    if (back && !std::filesystem::exists(removed.path)) rewrite(removed.path, removed.durable);
  }
  forget();
}

void FaultVfs::forget() {
  State& the = state();
  the.files.clear();
  the.removed.clear();
  the.dead = false;
  disarm();
}

}  // namespace sluice::test
