#include "storage/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace sluice::storage {
namespace {

ErrorCode code_of(int number) {
  switch (number) {
    case ENOENT: return ErrorCode::kNotFound;
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return ErrorCode::kFull;
    case ENOTDIR:
    case EISDIR:
    case EACCES:
    case EPERM:
    case ENAMETOOLONG:
    case ELOOP: return ErrorCode::kInvalid;
    default: return ErrorCode::kIo;
  }
}

Status write_all(const File& file, const std::string& path, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file.fd(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error("write", path);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace

Error system_error(std::string_view what, const std::string& path) {
  const int number = errno;
  return Error{code_of(number),
               std::string{what} + " " + path + ": " + std::generic_category().message(number)};
}

Result<File> File::open(const std::string& path, int flags) {
  File file{::open(path.c_str(), flags | O_CLOEXEC, 0640)};
  if (!file) return system_error("open", path);
  return file;
}

void File::close() noexcept {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

Result<std::size_t> read_at(const File& file, const std::string& path, std::uint64_t offset,
                            char* to, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got =
        ::pread(file.fd(), to + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read", path);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

Result<std::string> read_file(const std::string& path, std::uint64_t offset) {
  auto file = File::open(path, O_RDONLY);
  if (!file) return std::move(file).error();
  struct stat status {};
  if (::fstat(file->fd(), &status) != 0) return system_error("stat", path);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  std::string content(size > offset ? static_cast<std::size_t>(size - offset) : 0, '\0');
  auto got = read_at(*file, path, offset, content.data(), content.size());
  if (!got) return std::move(got).error();
  content.resize(*got);
  return content;
}

Status write_file(const std::string& path, std::string_view content) {
  const std::string temporary = path + ".new";
  {
    auto file = File::open(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file) return std::move(file).error();
    SLUICE_RETURN_IF_ERROR(write_all(*file, temporary, content));
    if (::fsync(file->fd()) != 0) return system_error("sync", temporary);
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) return system_error("rename to", path);
  return {};
}

Status sync_directory(const std::string& path) {
  auto directory = File::open(path, O_RDONLY | O_DIRECTORY);
  if (!directory) return std::move(directory).error();
  if (::fsync(directory->fd()) != 0) return system_error("sync", path);
  return {};
}

bool is_at(const File& file, const std::string& path) {
  struct stat open {};
  struct stat there {};
  if (::fstat(file.fd(), &open) != 0) return true;
  if (::stat(path.c_str(), &there) != 0) return errno != ENOENT && errno != ENOTDIR;
  return open.st_dev == there.st_dev && open.st_ino == there.st_ino;
}

Result<std::string> rename_aside(const std::string& path, const std::string& target) {
  std::string name = target;
  struct stat status {};
  for (int n = 2; ::lstat(name.c_str(), &status) == 0; ++n) {
    name = target + "." + std::to_string(n);
  }
  if (::rename(path.c_str(), name.c_str()) != 0) return system_error("set aside", path);
  return name;
}

}  // namespace sluice::storage
