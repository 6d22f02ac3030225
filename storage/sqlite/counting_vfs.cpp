#include "storage/sqlite/counting_vfs.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

#include "storage/sqlite/passing_file.hpp"

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

struct CountingFile : PassingFile {
  std::atomic<std::uint64_t>* written;
};

int on_write(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  const int result = methods_of(file).xWrite(real_of(file), from, size, offset);
  if (result == SQLITE_OK) {
    *static_cast<CountingFile*>(file)->written += static_cast<std::uint64_t>(size);
  }
  return result;
}

const sqlite3_io_methods& counting_methods() {
  static const sqlite3_io_methods methods = [] {
    sqlite3_io_methods table = passing_methods();
    table.xWrite = on_write;
    return table;
  }();
  return methods;
}

}  // namespace

int CountingVfs::Inside::open(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags,
                              int* out_flags) {
  const Inside& self = *static_cast<const Inside*>(vfs);
  auto& ours = begin_passing<CountingFile>(file);
  ours.written = self.written;
  const int result = self.real->xOpen(self.real, path, ours.real, flags, out_flags);
  if (result == SQLITE_OK) ours.pMethods = &counting_methods();
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
  self.szOsFile = size_in_front_of<CountingFile>(*self.real);
  self.xOpen = &Inside::open;
  sqlite3_vfs_register(&self, 0);
}

CountingVfs::~CountingVfs() { sqlite3_vfs_unregister(inside_.get()); }

const char* CountingVfs::name() const { return inside_->zName; }

}  // namespace sluice::storage
