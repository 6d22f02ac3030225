#include "storage/sqlite/counting_vfs.hpp"

#include <sqlite3.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace sluice::storage {

/// What SQLite sees, and hands back to us.
struct CountingVfs::Inside : sqlite3_vfs {
  sqlite3_vfs* real{};
  std::atomic<std::uint64_t>* written{};
  std::string unique_name;

  static int open(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags,
                  int* out_flags);
};

namespace {

/// The head of the memory that SQLite sets aside for a file; the real one's follows.
struct CountingFile : sqlite3_file {
  std::atomic<std::uint64_t>* written;
  sqlite3_file* real;
};

CountingFile& of(sqlite3_file* file) { return *static_cast<CountingFile*>(file); }
sqlite3_file* real_of(sqlite3_file* file) { return of(file).real; }
const sqlite3_io_methods& methods_of(sqlite3_file* file) { return *real_of(file)->pMethods; }

int on_write(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  const int result = methods_of(file).xWrite(real_of(file), from, size, offset);
  if (result == SQLITE_OK) *of(file).written += static_cast<std::uint64_t>(size);
  return result;
}

// All others are handed on as they are.
int on_close(sqlite3_file* file) { return methods_of(file).xClose(real_of(file)); }
int on_read(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  return methods_of(file).xRead(real_of(file), to, size, offset);
}
int on_truncate(sqlite3_file* file, sqlite3_int64 size) {
  return methods_of(file).xTruncate(real_of(file), size);
}
int on_sync(sqlite3_file* file, int flags) { return methods_of(file).xSync(real_of(file), flags); }
int on_size(sqlite3_file* file, sqlite3_int64* size) {
  return methods_of(file).xFileSize(real_of(file), size);
}
int on_lock(sqlite3_file* file, int level) { return methods_of(file).xLock(real_of(file), level); }
int on_unlock(sqlite3_file* file, int level) {
  return methods_of(file).xUnlock(real_of(file), level);
}
int on_check_lock(sqlite3_file* file, int* held) {
  return methods_of(file).xCheckReservedLock(real_of(file), held);
}
int on_control(sqlite3_file* file, int what, void* with) {
  return methods_of(file).xFileControl(real_of(file), what, with);
}
int on_sector_size(sqlite3_file* file) { return methods_of(file).xSectorSize(real_of(file)); }
int on_characteristics(sqlite3_file* file) {
  return methods_of(file).xDeviceCharacteristics(real_of(file));
}
int on_shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** to) {
  return methods_of(file).xShmMap(real_of(file), page, size, extend, to);
}
int on_shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  return methods_of(file).xShmLock(real_of(file), offset, count, flags);
}
void on_shm_barrier(sqlite3_file* file) { methods_of(file).xShmBarrier(real_of(file)); }
int on_shm_unmap(sqlite3_file* file, int remove) {
  return methods_of(file).xShmUnmap(real_of(file), remove);
}

// Version 2: without xFetch, so that nothing is written through memory maps either.
constexpr sqlite3_io_methods kMethods{2,
                                      on_close,
                                      on_read,
                                      on_write,
                                      on_truncate,
                                      on_sync,
                                      on_size,
                                      on_lock,
                                      on_unlock,
                                      on_check_lock,
                                      on_control,
                                      on_sector_size,
                                      on_characteristics,
                                      on_shm_map,
                                      on_shm_lock,
                                      on_shm_barrier,
                                      on_shm_unmap,
                                      nullptr,
                                      nullptr};

}  // namespace

int CountingVfs::Inside::open(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags,
                              int* out_flags) {
  const Inside& self = *static_cast<const Inside*>(vfs);
  CountingFile& ours = of(file);
  ours.pMethods = nullptr;  // no xClose where the opening failed
  ours.written = self.written;
  ours.real = static_cast<sqlite3_file*>(static_cast<void*>(&ours + 1));
  const int result = self.real->xOpen(self.real, path, ours.real, flags, out_flags);
  if (result == SQLITE_OK) ours.pMethods = &kMethods;
  return result;
}

CountingVfs::CountingVfs(std::atomic<std::uint64_t>& written)
    : inside_{std::make_unique<Inside>()} {
  Inside& self = *inside_;
  self.real = sqlite3_vfs_find(nullptr);
  if (self.real == nullptr) throw std::runtime_error{"SQLite has no file system"};
  self.written = &written;
  self.unique_name = "sluice-" + std::to_string(reinterpret_cast<std::uintptr_t>(&self));
  // All but the opening of files is the same, and asks for nothing of ours.
  static_cast<sqlite3_vfs&>(self) = *self.real;
  self.zName = self.unique_name.c_str();
  self.pNext = nullptr;
  self.szOsFile = static_cast<int>(sizeof(CountingFile)) + self.real->szOsFile;
  self.xOpen = &Inside::open;
  sqlite3_vfs_register(&self, 0);
}

CountingVfs::~CountingVfs() { sqlite3_vfs_unregister(inside_.get()); }

const char* CountingVfs::name() const { return inside_->zName; }

}  // namespace sluice::storage
