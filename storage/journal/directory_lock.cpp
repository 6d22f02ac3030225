#include "storage/journal/directory_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace sluice::storage {

bool may_pass(int error) {
  return error == ENOSPC || error == EROFS || error == EIO || error == EACCES;
}

Result<File> lock_directory(const std::string& dir) {
  const std::string path = dir + "/lock";
  auto file = File::open(path, O_RDWR | O_CREAT);
  if (!file) {
    return std::move(file).error().with_context("the journal needs a directory it may write to");
  }
  if (::flock(file->fd(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return Error{ErrorCode::kConflict, "journal " + dir +
                                           " is in use by another process; stop the other sluice "
                                           "or give this one a data directory of its own"};
  }
  return file;
}

}  // namespace sluice::storage
