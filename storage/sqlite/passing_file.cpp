#include "storage/sqlite/passing_file.hpp"

namespace sluice::storage {
namespace {

int on_close(sqlite3_file* file) { return methods_of(file).xClose(real_of(file)); }
int on_read(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  return methods_of(file).xRead(real_of(file), to, size, offset);
}
int on_write(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  return methods_of(file).xWrite(real_of(file), from, size, offset);
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

}  // namespace

sqlite3_io_methods passing_methods() {
  return {2,
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
}

}  // namespace sluice::storage
