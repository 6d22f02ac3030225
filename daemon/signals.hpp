// Signals as something the main loop waits for, instead of something that interrupts it.
#pragma once

#include <chrono>
#include <memory>

#include "pipeline/base/result.hpp"

namespace sluice::daemon {

enum class Signal : std::uint8_t {
  kNone,       ///< the time was up
  kTerminate,  ///< SIGTERM or SIGINT
  kReload,     ///< SIGHUP
};

/// Blocks SIGTERM, SIGINT and SIGHUP and ignores SIGPIPE and SIGXFSZ, for the calling thread and
/// all it starts later: to be made before any other thread. The destructor puts back what was. One
/// at a time; wait() on the main thread only.
class SignalWaiter {
 public:
  static Result<std::unique_ptr<SignalWaiter>> create();
  virtual ~SignalWaiter() = default;
  SignalWaiter(const SignalWaiter&) = delete;
  SignalWaiter& operator=(const SignalWaiter&) = delete;

  /// The next signal, waiting at most this long. Signals sent before are not lost.
  virtual Signal wait(std::chrono::milliseconds patience) = 0;

 protected:
  SignalWaiter() = default;
};

}  // namespace sluice::daemon
