#include "daemon/sd_notify.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>

#include "daemon/watchdog.hpp"

namespace sluice::daemon {
namespace {

using namespace std::chrono_literals;

/// A real notification socket, as systemd opens one.
class NotifySocket : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "sluice-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    ASSERT_GE(socket_, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = folder_ + "/notify";
    ASSERT_LT(path.size(), sizeof address.sun_path);
    std::memcpy(address.sun_path, path.c_str(), path.size());
    ASSERT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
  }

  void TearDown() override {
    ::unsetenv("NOTIFY_SOCKET");
    ::unsetenv("WATCHDOG_USEC");
    ::unsetenv("WATCHDOG_PID");
    if (socket_ >= 0) ::close(socket_);
    std::filesystem::remove_all(folder_);
  }

  /// The next datagram, or empty.
  std::string receive() {
    std::array<char, 2048> buffer{};
    const ssize_t size = ::recv(socket_, buffer.data(), buffer.size(), 0);
    return size <= 0 ? std::string{} : std::string{buffer.data(), static_cast<std::size_t>(size)};
  }

  int socket_{-1};
  std::string folder_;
  ServiceManager manager_;
};

TEST_F(NotifySocket, HearsEachStepOfALife) {
  manager_.ready();
  EXPECT_EQ(receive(), "READY=1");
  manager_.watchdog();
  EXPECT_EQ(receive(), "WATCHDOG=1");
  manager_.extend_timeout(5s);
  EXPECT_EQ(receive(), "EXTEND_TIMEOUT_USEC=5000000");
  manager_.stopping();
  EXPECT_EQ(receive(), "STOPPING=1");
}

TEST_F(NotifySocket, GetsAStatusThatCannotSmuggleInAnotherWord) {
  manager_.status("2 sources, 3 monitors\nSTOPPING=1");
  EXPECT_EQ(receive(), "STATUS=2 sources, 3 monitors\\x0aSTOPPING=1");
}

TEST_F(NotifySocket, GetsQuotesAsTheyAre) {
  manager_.status("the broker refuses \"a\\b\"");
  EXPECT_EQ(receive(), "STATUS=the broker refuses \"a\\b\"");
}

TEST_F(NotifySocket, MayHaveANameThatIsNoFile) {
  const std::string name = "sluice-test-" + std::to_string(::getpid());
  const int abstract = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(&address.sun_path[1], name.c_str(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  ASSERT_EQ(::bind(abstract, reinterpret_cast<const sockaddr*>(&address), size), 0);
  ::setenv("NOTIFY_SOCKET", ("@" + name).c_str(), 1);
  manager_.ready();
  ::close(std::exchange(socket_, abstract));
  EXPECT_EQ(receive(), "READY=1");
}

TEST_F(NotifySocket, MayBeNamedByNonsense) {
  for (const std::string& name : {std::string{"/"}, std::string{"vsock:1:2"}, std::string(500, '/'),
                                  std::string{"@"}, std::string{}}) {
    ::setenv("NOTIFY_SOCKET", name.c_str(), 1);
    manager_.ready();
    EXPECT_EQ(receive(), "") << name;
  }
}

TEST_F(NotifySocket, GetsNothingWithoutItsVariable) {
  ::unsetenv("NOTIFY_SOCKET");
  manager_.ready();
  EXPECT_EQ(receive(), "");
}

TEST_F(NotifySocket, MayBeGone) {
  ::close(socket_);
  socket_ = -1;
  manager_.ready();
  manager_.status("still alive");
}

TEST_F(NotifySocket, HearsOfProgressWhileAnotherThreadIsBusy) {
  std::atomic<std::uint64_t> progress{0};
  const WatchdogStandIn stand_in{manager_, [&progress] { return ++progress; }};
  const auto next = [this] {
    std::string heard;
    while (heard.empty()) heard = receive();
    return heard;
  };
  EXPECT_EQ(next(), "WATCHDOG=1");
  EXPECT_EQ(next(), "EXTEND_TIMEOUT_USEC=10000000");
  EXPECT_EQ(next(), "WATCHDOG=1");
}

TEST_F(NotifySocket, HearsNothingOfAThreadThatIsStuck) {
  std::atomic<int> looks{0};
  {
    const WatchdogStandIn stand_in{manager_, [&looks] {
                                     ++looks;
                                     return std::uint64_t{0};
                                   }};
    while (looks < 2) std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(receive(), "");
}

}  // namespace
}  // namespace sluice::daemon
