#include "storage/journal/directory_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

namespace sluice::storage {
namespace {

std::string lock_path(const std::string& dir) { return dir + "/lock"; }

}  // namespace

Error with_cure(Error error, const std::string& dir) {
  const auto with = [&](const std::string& cure) {
    return Error{error.code(), error.message() + "; " + cure};
  };
  if (error.code() != ErrorCode::kInvalid && error.code() != ErrorCode::kNotFound) return error;
  struct stat status {};
  if (::stat(dir.c_str(), &status) == 0) {
    if (!S_ISDIR(status.st_mode)) return with(dir + " is not a folder: move it away");
    return with("let the user that runs sluice read and write in " + dir + " (chown, chmod)");
  }
  if (errno == EACCES) {
    return with("let the user that runs sluice into the folders above " + dir + " (chown, chmod)");
  }
  if (::lstat(dir.c_str(), &status) == 0) {
    return with(dir + " is a link to something that is not there: mount it, or remove the link");
  }
  return with("make the folder " + dir + " for the user that runs sluice");
}

Result<File> lock_directory(const std::string& dir) {
  struct stat status {};
  // Not through a link to nowhere: what it leads to may be a disk that is not mounted yet.
  if (::lstat(dir.c_str(), &status) != 0) {
    std::error_code ignored;  // opening the file in it says what is wrong
    std::filesystem::create_directories(dir, ignored);
  }
  auto file = File::open(lock_path(dir), O_RDWR | O_CREAT);
  if (!file) return with_cure(std::move(file).error(), dir);
  if (::flock(file->fd(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return Error{ErrorCode::kConflict, "journal " + dir +
                                           " is in use by another process; stop the other sluice "
                                           "or give this one a data directory of its own"};
  }
  return file;
}

bool locks(const File& lock, const std::string& dir) { return is_at(lock, lock_path(dir)); }

}  // namespace sluice::storage
