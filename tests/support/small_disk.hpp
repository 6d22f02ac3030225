// What makes a folder's disk small, full, and large again. In memory where the machine lets us
// mount; else by a limit on the size of each file of the process. One thread; throws
// std::runtime_error.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace sluice::test {

class SmallDisk {
 public:
  /// Makes the folder. A mount is seen by this thread, and by threads and processes that it starts
  /// later, and ends with them. `size` as for tmpfs.
  explicit SmallDisk(const std::filesystem::path& folder, const std::string& size = "1m");
  ~SmallDisk();
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  /// Nothing fits any more, for the process if there is no mount.
  void fill(pid_t process);
  void free(pid_t process);

 private:
  std::filesystem::path folder_;
  bool mounted_{};
};

}  // namespace sluice::test
