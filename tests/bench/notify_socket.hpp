// The service manager's end of sd_notify.
#pragma once

#include <chrono>
#include <string>

#include "tests/support/temp_dir.hpp"

namespace sluice::bench {

class NotifySocket {
 public:
  NotifySocket();
  ~NotifySocket();
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  std::string path() const { return folder_ / "notify"; }
  /// Throws std::runtime_error if READY=1 has not come by then.
  void wait_for_ready(std::chrono::seconds limit);

 private:
  test::TempDir folder_;
  int fd_;
};

}  // namespace sluice::bench
