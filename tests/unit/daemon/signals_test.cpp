#include "daemon/signals.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace sluice::daemon {
namespace {

using namespace std::chrono_literals;

std::unique_ptr<SignalWaiter> make() {
  auto waiter = SignalWaiter::create();
  EXPECT_TRUE(waiter);
  return std::move(waiter).value();
}

bool is_blocked(int signal) {
  sigset_t now;
  ::sigemptyset(&now);
  ::pthread_sigmask(SIG_BLOCK, nullptr, &now);
  return ::sigismember(&now, signal) == 1;
}

TEST(SignalWaiter, TellsTheSignalsApart) {
  const auto waiter = make();
  ASSERT_EQ(::raise(SIGHUP), 0);
  EXPECT_EQ(waiter->wait(10s), Signal::kReload);
  ASSERT_EQ(::raise(SIGTERM), 0);
  EXPECT_EQ(waiter->wait(10s), Signal::kTerminate);
  ASSERT_EQ(::raise(SIGINT), 0);
  EXPECT_EQ(waiter->wait(10s), Signal::kTerminate);
  EXPECT_EQ(waiter->wait(0ms), Signal::kNone);
}

TEST(SignalWaiter, GivesUpWhenTheTimeIsUp) {
  const auto waiter = make();
  EXPECT_EQ(waiter->wait(1ms), Signal::kNone);
  EXPECT_EQ(waiter->wait(-1ms), Signal::kNone);
}

TEST(SignalWaiter, LetsAClosedPipeBeAnErrorInsteadOfTheEnd) {
  const auto waiter = make();
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ::close(ends[0]);
  EXPECT_EQ(::write(ends[1], "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  ::close(ends[1]);
}

TEST(SignalWaiter, PutsBackWhatWas) {
  const bool before = is_blocked(SIGTERM);
  {
    const auto waiter = make();
    EXPECT_TRUE(is_blocked(SIGTERM));
  }
  EXPECT_EQ(is_blocked(SIGTERM), before);
}

}  // namespace
}  // namespace sluice::daemon
