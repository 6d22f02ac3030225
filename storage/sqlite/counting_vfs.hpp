// CountingVfs: counts the bytes that SQLite writes: database, log, rollback journal, copies. A thin
// layer over whatever is SQLite's default at the time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace sluice::storage {

class CountingVfs {
 public:
  /// `written` outlives it. Not to be destroyed before all databases opened through it are closed.
  explicit CountingVfs(std::atomic<std::uint64_t>& written);
  ~CountingVfs();
  CountingVfs(const CountingVfs&) = delete;
  CountingVfs& operator=(const CountingVfs&) = delete;

  /// What to call it in sqlite3_open_v2().
  const char* name() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace sluice::storage
