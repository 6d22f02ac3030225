// Figures for Prometheus, asked for as Prometheus asks.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <thread>

#include "tests/integration/site.hpp"

namespace sluice::test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

/// A socket of 127.0.0.1; −1 and errno where that does not work.
class Socket {
 public:
  enum class Use { kConnect, kListen };
  Socket(std::uint16_t port, Use use) : fd_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(port);
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* address = reinterpret_cast<const sockaddr*>(&where);
    const int yes = 1;
    ::setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    ok_ = use == Use::kConnect ? ::connect(fd_, address, sizeof where) == 0
                               : ::bind(fd_, address, sizeof where) == 0 && ::listen(fd_, 5) == 0;
  }
  ~Socket() { ::close(fd_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  bool ok() const { return ok_; }
  int fd() const { return fd_; }

 private:
  int fd_;
  bool ok_{false};
};

/// The whole answer to a request, headers included; empty if nobody answers.
std::string ask(std::uint16_t port, const std::string& request) {
  const Socket socket{port, Socket::Use::kConnect};
  if (!socket.ok()) return {};
  if (::send(socket.fd(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return {};
  std::string answer;
  char buffer[4096];
  for (ssize_t size = 0; (size = ::recv(socket.fd(), buffer, sizeof buffer, 0)) > 0;) {
    answer.append(buffer, static_cast<std::size_t>(size));
  }
  return answer;
}

std::string get(std::uint16_t port, const std::string& path) {
  return ask(port, "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
}

std::string metrics_when(std::uint16_t port, const std::string& part) {
  const auto until = std::chrono::steady_clock::now() + kLimit;
  std::string answer;
  do {
    answer = get(port, "/metrics");
    if (answer.find(part) != std::string::npos) return answer;
    std::this_thread::sleep_for(50ms);
  } while (std::chrono::steady_clock::now() < until);
  return answer;
}

SiteSetup serving(std::uint16_t port) {
  SiteSetup setup;
  setup.other_tables = "[metrics]\nlisten = \"127.0.0.1:" + std::to_string(port) + "\"\n";
  return setup;
}

/// A daemon that has been seen to serve its metrics.
struct Served {
  MosquittoBroker broker;
  const std::uint16_t port = free_port();
  Site site{broker, serving(port)};
  Served() {
    site.start();
    metrics_when(port, "sluice_healthy 1\n");
  }
};

TEST(Metrics, AreServedInPrometheusTextFormat) {
  MosquittoBroker broker;
  const std::uint16_t port = free_port();
  Site site{broker, serving(port)};
  site.start();
  site.send("mill", 101);
  site.send_raw("nonsense");
  const std::string answer = metrics_when(
      port, "sluice_rejected_readings_total{source=\"levels\",reason=\"malformed\"} 1");
  EXPECT_THAT(answer, HasSubstr("200 OK"));
  EXPECT_THAT(answer, HasSubstr("text/plain"));
  EXPECT_THAT(answer,
              AllOf(HasSubstr("# TYPE sluice_readings_total counter\nsluice_readings_total 1\n"),
                    HasSubstr("# HELP sluice_readings_total "),
                    HasSubstr("# TYPE sluice_healthy gauge\nsluice_healthy 1\n"),
                    HasSubstr("sluice_condition{code=\"journal\"} 0\n"),
                    HasSubstr("sluice_connected{client=\"receiving\"} 1\n"),
                    HasSubstr("sluice_alerts_total 1\n")));
  EXPECT_THAT(get(port, "/etc/passwd"), HasSubstr("404"));
  ASSERT_EQ(site.stop(SIGTERM).code, 0);
  EXPECT_EQ(get(port, "/metrics"), "");
}

TEST(Metrics, AreServedHoweverManyConnectionsSayNothing) {
  Served served;
  auto& [broker, port, site] = served;
  // Some say nothing, some half a request, some take no answer.
  constexpr std::array kWords{"",
                              "GET /metrics HTTP/1.1\r\nHost:", "GET /metrics HTTP/1.1\r\n\r\n"};
  std::vector<std::unique_ptr<Socket>> others;
  for (std::size_t n = 0; n < 150; ++n) {
    others.push_back(std::make_unique<Socket>(port, Socket::Use::kConnect));
    ASSERT_TRUE(others.back()->ok());
    const std::string_view words = kWords[n % kWords.size()];
    ::send(others.back()->fd(), words.data(), words.size(), MSG_NOSIGNAL);
  }
  EXPECT_THAT(get(port, "/metrics"), HasSubstr("sluice_healthy 1\n"));
  site.send("mill", 101);
  site.wait_for("alert/flood/mill");
}

TEST(Metrics, AreServedToThoseWhoAskForThemOnly) {
  Served served;
  auto& [broker, port, site] = served;
  EXPECT_THAT(get(port, "/metrics?name=x"), HasSubstr("200 OK"));
  EXPECT_THAT(get(port, "/metrics/../etc"), HasSubstr("404"));
  EXPECT_THAT(get(port, "/" + std::string(20'000, 'a')), AnyOf(HasSubstr("414"), HasSubstr("431")));
  EXPECT_THAT(ask(port, "POST /metrics HTTP/1.1\r\nHost: x\r\n\r\n"), HasSubstr("405"));
  EXPECT_THAT(ask(port, "HEAD /metrics HTTP/1.0\r\n\r\n"),
              AllOf(HasSubstr("200 OK"), testing::Not(HasSubstr("sluice_healthy"))));
  // Some versions of the library say 400 to these, some just close.
  for (const char* bad : {"GET\r\n\r\n", "\x16\x03\x01\n\n"}) {
    EXPECT_THAT(ask(port, bad), testing::Not(HasSubstr("sluice_healthy"))) << bad;
  }
}

TEST(Metrics, ShowAConditionWhileItLasts) {
  Served served;
  auto& [broker, port, site] = served;
  broker.stop();
  EXPECT_THAT(metrics_when(port, "sluice_condition{code=\"receiving\"} 1\n"),
              HasSubstr("sluice_healthy 0\n"));
  broker.start();
  EXPECT_THAT(metrics_when(port, "sluice_healthy 1\n"),
              HasSubstr("sluice_condition{code=\"receiving\"} 0\n"));
}

TEST(Metrics, ABusyPortIsSaidWithTheOptionAndTheCureAndWaterIsWatchedMeanwhile) {
  MosquittoBroker broker;
  const std::uint16_t port = free_port();
  auto taken = std::make_unique<Socket>(port, Socket::Use::kListen);
  ASSERT_TRUE(taken->ok());
  Site site{broker, serving(port)};
  site.start();
  EXPECT_TRUE(site.daemon().wait_for_text(
      "another program has that port: end it, or choose another port in metrics.listen"))
      << site.daemon().errors();
  site.send("mill", 101);
  site.wait_for("alert/flood/mill");
  const Datum status =
      site.wait_for_status([](const Datum& all) { return at(all, "healthy") == Datum{false}; });
  const Datum conditions = at(status, "conditions");
  const auto* words = conditions.get_if<Datum::List>();
  ASSERT_TRUE(words != nullptr && words->size() == 1U);
  EXPECT_THAT(*words->front().get_if<std::string>(),
              AllOf(HasSubstr("127.0.0.1:" + std::to_string(port)), HasSubstr("metrics.listen")));
  taken.reset();
  EXPECT_THAT(metrics_when(port, "sluice_healthy 1\n"), HasSubstr("sluice_readings_total 1\n"));
}

TEST(Metrics, AreNotServedUnlessAskedFor) {
  MosquittoBroker broker;
  Site site{broker};
  site.start();
  const std::string maps = read_file("/proc/" + std::to_string(site.daemon().pid()) + "/maps");
  EXPECT_THAT(maps, HasSubstr("libsqlite3"));
  EXPECT_THAT(maps, testing::Not(HasSubstr("prometheus"))) << "it would cost memory";
  EXPECT_THAT(maps, testing::Not(HasSubstr("microhttpd"))) << "likewise";
}

}  // namespace
}  // namespace sluice::test
