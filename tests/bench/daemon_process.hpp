// The real program as a process of its own, started as the service manager would.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/notify_socket.hpp"
#include "tests/support/process.hpp"

namespace sluice::bench {

/// `sluice` with these arguments, as it was built beside this program.
test::Process::Setup sluice_process(std::vector<std::string> arguments);

/// `sluice run`. Killed when the object goes. Throws std::runtime_error where it does not do what
/// is asked.
class DaemonProcess {
 public:
  /// Returns when it is ready, at the latest after `limit`.
  explicit DaemonProcess(const std::string& config_path,
                         std::chrono::seconds limit = std::chrono::seconds{30});

  double seconds_to_ready() const { return seconds_to_ready_; }
  /// A line of /proc/<pid>/<file>, such as VmRSS of status, in MiB.
  double memory_mib(const std::string& file, const std::string& name) const {
    return of_kernel(file, name) / 1024;
  }
  /// What the kernel says that it has written to disks.
  double written_bytes() const { return of_kernel("io", "write_bytes"); }
  /// In an orderly way. Gives the seconds that it took.
  double stop(std::chrono::seconds limit = std::chrono::seconds{30});

 private:
  double of_kernel(const std::string& file, const std::string& name) const;

  std::optional<NotifySocket> socket_{std::in_place};  ///< until it is ready
  std::chrono::steady_clock::time_point started_{std::chrono::steady_clock::now()};
  test::Process process_;
  double seconds_to_ready_{};
};

}  // namespace sluice::bench
