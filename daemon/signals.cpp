#include "daemon/signals.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>

namespace sluice::daemon {

namespace {

sigset_t watched_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGTERM);
  ::sigaddset(&set, SIGINT);
  ::sigaddset(&set, SIGHUP);
  return set;
}

class SignalFd final : public SignalWaiter {
 public:
  ~SignalFd() override {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (mask_changed_) ::pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
    if (pipe_changed_) ::sigaction(SIGPIPE, &old_pipe_, nullptr);
    if (size_changed_) ::sigaction(SIGXFSZ, &old_size_, nullptr);
  }

  Status open() {
    const sigset_t set = watched_signals();
    if (const int fault = ::pthread_sigmask(SIG_BLOCK, &set, &old_mask_); fault != 0) {
      return failed("block signals", fault);
    }
    mask_changed_ = true;
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    if (::sigaction(SIGPIPE, &ignore, &old_pipe_) != 0) return failed("ignore SIGPIPE", errno);
    pipe_changed_ = true;
    // A limit on file sizes (LimitFSIZE=) is like a full disk: reported by the write, not deadly.
    if (::sigaction(SIGXFSZ, &ignore, &old_size_) != 0) return failed("ignore SIGXFSZ", errno);
    size_changed_ = true;
    descriptor_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (descriptor_ < 0) return failed("open a signal descriptor", errno);
    return Status::ok();
  }

  Signal wait(std::chrono::milliseconds patience) override {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
      if (const Signal signal = next(); signal != Signal::kNone) return signal;
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      if (left.count() <= 0) return Signal::kNone;
      pollfd entry{descriptor_, POLLIN, 0};
      const auto longest = static_cast<std::int64_t>(std::numeric_limits<int>::max());
      // An interruption (a debugger, a stopped and continued process) only makes us look again.
      static_cast<void>(
          ::poll(&entry, 1, static_cast<int>(std::min<std::int64_t>(left.count(), longest))));
    }
  }

 private:
  static Error failed(const std::string& what, int fault) {
    return {ErrorCode::kInternal, "cannot " + what + ": " + std::strerror(fault)};
  }

  Signal next() const {
    signalfd_siginfo info{};
    if (::read(descriptor_, &info, sizeof info) != static_cast<ssize_t>(sizeof info)) {
      return Signal::kNone;
    }
    return info.ssi_signo == static_cast<std::uint32_t>(SIGHUP) ? Signal::kReload
                                                                : Signal::kTerminate;
  }

  sigset_t old_mask_{};
  struct sigaction old_pipe_ {};
  struct sigaction old_size_ {};
  bool mask_changed_{false};
  bool pipe_changed_{false};
  bool size_changed_{false};
  int descriptor_{-1};
};

}  // namespace

Result<std::unique_ptr<SignalWaiter>> SignalWaiter::create() {
  auto waiter = std::make_unique<SignalFd>();
  SLUICE_RETURN_IF_ERROR(waiter->open());
  return std::unique_ptr<SignalWaiter>{std::move(waiter)};
}

}  // namespace sluice::daemon
