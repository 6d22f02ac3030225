// Files as our own formats need them: an owned descriptor, whole reads and writes, clear errors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/base/result.hpp"

namespace sluice::storage {

/// Owns a file descriptor; closes it.
class File {
 public:
  File() = default;
  explicit File(int fd) : fd_{fd} {}
  File(File&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
  File& operator=(File&& other) noexcept {
    if (this != &other) {
      close();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(); }

  /// open(2) with O_CLOEXEC; the error names the path.
  static Result<File> open(const std::string& path, int flags);

  int fd() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void close() noexcept;

 private:
  int fd_{-1};
};

/// The failure of a system call, from errno: "<what> <path>: No space left on device".
Error system_error(std::string_view what, const std::string& path);

/// Reads at most `size` bytes at `offset` into `to`; less only at the end of the file.
Result<std::size_t> read_at(const File& file, const std::string& path, std::uint64_t offset,
                            char* to, std::size_t size);

/// The whole file from `offset` on; nothing if it is shorter.
Result<std::string> read_file(const std::string& path, std::uint64_t offset = 0);

/// Writes a whole file: new content or none (temporary file, sync, rename).
Status write_file(const std::string& path, std::string_view content);

/// Makes the names in a directory durable (a created, renamed or removed file).
Status sync_directory(const std::string& path);

/// Whether an open file is still what its path leads to: not removed, moved or replaced. True where
/// that cannot be found out.
bool is_at(const File& file, const std::string& path);

/// Renames `path` so that nothing is overwritten: to `target`, or `target.2`, … Returns the name.
Result<std::string> rename_aside(const std::string& path, const std::string& target);

}  // namespace sluice::storage
