// A folder of its own for one test, gone with the object.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sluice::test {

class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  /// Writes a file below the folder, replacing it, and returns its path.
  std::filesystem::path write(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

/// A whole file as text; empty if it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace sluice::test
