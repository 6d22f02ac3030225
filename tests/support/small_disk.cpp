#include "tests/support/small_disk.hpp"

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <cstdio>
#include <stdexcept>

namespace sluice::test {
namespace {

void limit(pid_t process, rlim_t bytes) {
  const rlimit soft{bytes, RLIM_INFINITY};
  if (::prlimit(process, RLIMIT_FSIZE, &soft, nullptr) != 0)
    throw std::runtime_error("no limit can be set for process " + std::to_string(process));
}

}  // namespace

SmallDisk::SmallDisk(const std::filesystem::path& folder, const std::string& size)
    : folder_{folder} {
  std::filesystem::create_directories(folder_);
  // In a world of our own, which ends with the test however that ends.
  mounted_ = ::unshare(CLONE_NEWNS) == 0 &&
             ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
             ::mount("none", folder_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
}

SmallDisk::~SmallDisk() {
  if (mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
}

void SmallDisk::fill(pid_t process) {
  if (!mounted_) return limit(process, 0);
  const std::string block(4096, 'x');
  std::FILE* file = std::fopen((folder_ / "filler").c_str(), "ab");
  if (file == nullptr) throw std::runtime_error("no file in " + folder_.string());
  while (std::fwrite(block.data(), 1, block.size(), file) == block.size() &&
         std::fflush(file) == 0) {
  }
  std::fclose(file);
}

void SmallDisk::free(pid_t process) {
  if (!mounted_) return limit(process, RLIM_INFINITY);
  std::filesystem::remove(folder_ / "filler");
}

}  // namespace sluice::test
