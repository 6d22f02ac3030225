// FaultVfs: the file system as SQLite sees it, with faults at chosen moments. Installed once, it is
// the default of the process, so that the code under test need not know of it.
//
// What is written goes to real files. Besides, it remembers of each file what a sync has made
// durable and what was written since, so that a power cut can take the latter away again, sector
// by sector. Names made by rename(2) and unlink(2) outside SQLite are durable at once. One thread.
#pragma once

#include <cstdint>
#include <filesystem>

namespace sluice::test {

enum class Fault {
  kNone,
  kOpen,       ///< SQLITE_CANTOPEN
  kRead,       ///< SQLITE_IOERR_READ
  kShortRead,  ///< the system call gives less than asked for; all from the Nth on
  kWrite,      ///< SQLITE_IOERR_WRITE, half of it written
  kFull,       ///< SQLITE_FULL, half of it written
  kSync,       ///< SQLITE_IOERR_FSYNC
  kTruncate,   ///< SQLITE_IOERR_TRUNCATE
  kPowerCut,   ///< at a write, sync, truncation or removal; then nothing works until power_on()
};

/// What of the unsynced bytes is there when power returns.
enum class Unsynced { kLost, kRandomSectors };

class FaultVfs {
 public:
  /// Registers it at the first call.
  static FaultVfs& instance();

  /// The `nth` operation of that kind from now on, counted from 1, meets the fault; with `lasting`
  /// all after it too. A power cut always lasts.
  void arm(Fault fault, std::uint64_t nth, bool lasting = false);
  /// No more faults. True if there was one since arm().
  bool disarm();

  /// After a power cut, and with all databases closed: makes the files in `folder` what a disk
  /// would hold, and works again.
  void power_on(const std::filesystem::path& folder, Unsynced unsynced, std::uint64_t seed);

  /// What is on the disk now counts as synced, and no file as known: for a fresh start.
  void forget();

 private:
  FaultVfs() = default;
};

}  // namespace sluice::test
