// PassingFile: a file of an SQLite VFS that stands in front of another one and hands every call on.
// The base of those that count, refuse or remember some calls: they put their own into the table.
#pragma once

#include <sqlite3.h>

namespace sluice::storage {

/// The head of the memory that SQLite sets aside for a file, szOsFile bytes of it; derive from it
/// to keep more. The real file's memory follows the head.
struct PassingFile : sqlite3_file {
  sqlite3_file* real;
};

/// The table in which all calls are handed on; version 2: without xFetch, so that nothing goes past
/// them through memory maps.
sqlite3_io_methods passing_methods();

/// The file that calls are handed on to.
inline sqlite3_file* real_of(sqlite3_file* file) { return static_cast<PassingFile*>(file)->real; }
inline const sqlite3_io_methods& methods_of(sqlite3_file* file) { return *real_of(file)->pMethods; }

/// For xOpen: makes `file`, which is a `File` derived from PassingFile, one that was not opened
/// yet, so that SQLite does not close it should opening fail. Set `pMethods` once real_of() is
/// open.
template <class File>
File& begin_passing(sqlite3_file* file) {
  File& ours = *static_cast<File*>(file);
  ours.pMethods = nullptr;
  ours.real = static_cast<sqlite3_file*>(static_cast<void*>(&ours + 1));
  return ours;
}

/// For szOsFile.
template <class File>
int size_in_front_of(const sqlite3_vfs& real) {
  return static_cast<int>(sizeof(File)) + real.szOsFile;
}

}  // namespace sluice::storage
