// A real ext4 file system in a file, which can lose its power. For root and machines with loop
// devices; whyever it cannot be had is said in LoopDisk::Unavailable.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "tests/support/temp_dir.hpp"

namespace sluice::test {

class LoopDisk {
 public:
  struct Unavailable : std::runtime_error {
    using std::runtime_error::runtime_error;
  };

  /// Mounted when it returns, for this thread and for threads and processes that it starts later;
  /// gone with them, however they end. Throws Unavailable.
  explicit LoopDisk(std::uint64_t bytes = 256ULL << 20);
  ~LoopDisk();
  LoopDisk(const LoopDisk&) = delete;
  LoopDisk& operator=(const LoopDisk&) = delete;

  std::filesystem::path folder() const { return files_ / "disk"; }

  /// From now on nothing reaches the disk: neither what is written next nor what the kernel still
  /// holds back. Who tries gets an error.
  void cut_power();
  /// Mounts it anew, as after a boot; the file system repairs itself from its journal. Nobody may
  /// have files open on it. Throws std::runtime_error.
  void restore_power();

 private:
  void mount();

  TempDir files_;
  bool mounted_{false};
};

}  // namespace sluice::test
