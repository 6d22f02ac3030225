// What systemd hears of us over its socket.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "tests/integration/site.hpp"

namespace sluice::test {
namespace {

/// The socket, as systemd opens one for each service.
class NotifySocket {
 public:
  NotifySocket() : path_{(folder_ / "notify").string()} {
    descriptor_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path_.size() >= sizeof address.sun_path) throw std::runtime_error("path too long");
    std::memcpy(address.sun_path, path_.c_str(), path_.size());
    if (::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("cannot bind " + path_);
  }
  ~NotifySocket() { ::close(descriptor_); }
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  std::map<std::string, std::string> environment() const {
    return {{"NOTIFY_SOCKET", path_}, {"WATCHDOG_USEC", "10000000"}};
  }
  /// Reads on until a word begins like this; all words so far.
  const std::vector<std::string>& wait_for(const std::string& start) {
    const auto until = std::chrono::steady_clock::now() + kLimit;
    while (std::chrono::steady_clock::now() < until) {
      pollfd entry{descriptor_, POLLIN, 0};
      if (::poll(&entry, 1, 100) <= 0) continue;
      char buffer[4096];
      const ssize_t size = ::recv(descriptor_, buffer, sizeof buffer, 0);
      if (size <= 0) continue;
      words_.emplace_back(buffer, static_cast<std::size_t>(size));
      if (words_.back().starts_with(start)) return words_;
    }
    ADD_FAILURE() << "systemd never heard " << start;
    return words_;
  }

 private:
  TempDir folder_;
  std::string path_;
  int descriptor_{-1};
  std::vector<std::string> words_;
};

class ServiceManager : public testing::Test {
 protected:
  MosquittoBroker broker_;
  Site site_{broker_};
  NotifySocket systemd_;
};

TEST_F(ServiceManager, HearsThatWeAreReady) {
  site_.launch(systemd_.environment());
  systemd_.wait_for("READY=1");
}

TEST_F(ServiceManager, HearsThatWeAreReadyAlsoWithoutABroker) {
  broker_.kill();
  site_.launch(systemd_.environment());
  systemd_.wait_for("READY=1");
}

TEST_F(ServiceManager, HearsInALineHowThingsAre) {
  site_.start(systemd_.environment());
  EXPECT_THAT(systemd_.wait_for("STATUS=watching: ").back(), testing::HasSubstr("0 alerts"));
}

TEST_F(ServiceManager, HearsThatWeAreAliveAgainAndAgain) {
  site_.launch(systemd_.environment());
  systemd_.wait_for("READY=1");
  for (int n = 0; n < 3; ++n) systemd_.wait_for("WATCHDOG=1");
}

TEST_F(ServiceManager, HearsThatWeAreStopping) {
  site_.launch(systemd_.environment());
  systemd_.wait_for("READY=1");
  EXPECT_EQ(site_.stop(SIGTERM), (ExitStatus{.code = 0, .signal = {}}));
  systemd_.wait_for("STOPPING=1");
}

}  // namespace
}  // namespace sluice::test
