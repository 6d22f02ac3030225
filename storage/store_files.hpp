// What the parts of the checkpoint store share about its files: names, judging, setting aside.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "pipeline/base/result.hpp"
#include "storage/sqlite/database.hpp"

namespace sluice::storage {

/// Of the copy to fall back to.
inline std::string copy_path(const std::string& path) { return path + ".previous"; }
std::string directory_of(const std::string& path);
/// Whatever it is, also a link to nothing.
bool path_exists(const std::string& path);

/// Opens an existing file and says whether it is one of ours and whole: kCorrupt if not.
Result<Database> open_checked(const std::string& path, const DatabaseOptions& options);

/// The last journal record that the checkpoint has; 0 if there is none yet.
Result<std::uint64_t> sequence_of(Database& database);

/// Renames the database, its log and its index to `<path>.damaged-<UTC time>…`; gives the new name.
Result<std::string> set_database_aside(const std::string& path);

/// What tells a file from another one, and from itself after somebody has written to it.
struct FileMark {
  int error{};  ///< errno of looking at it; else 0
  dev_t device{};
  ino_t inode{};
  off_t size{};
  std::int64_t written_ns{};

  bool is_file_of(const FileMark& other) const {
    return device == other.device && inode == other.inode;
  }
  friend bool operator==(const FileMark&, const FileMark&) = default;
};
FileMark mark_of(const std::string& path);

}  // namespace sluice::storage
