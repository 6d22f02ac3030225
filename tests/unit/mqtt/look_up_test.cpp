// A name service that does not answer: nothing may wait for it that must not.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netdb.h>

#include <condition_variable>
#include <future>
#include <mutex>
#include <string_view>

#include "plugins/mqtt/reach.hpp"
#include "tests/unit/mqtt/recorders.hpp"

namespace sluice::mqtt {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kSlowHost = "slow.invalid";

/// Holds look-ups of kSlowHost back, whoever makes them, for as long as it lives.
class HangingNameService {
 public:
  HangingNameService() { set(true); }
  ~HangingNameService() { set(false); }
  HangingNameService(const HangingNameService&) = delete;
  HangingNameService& operator=(const HangingNameService&) = delete;

  static void wait_if_slow(const char* host) {
    if (host == nullptr || host != kSlowHost) return;
    std::unique_lock lock{mutex()};
    ++asked();
    changed().notify_all();
    changed().wait(lock, [] { return !hangs(); });
  }
  static bool wait_until_asked(int times) {
    std::unique_lock lock{mutex()};
    return changed().wait_for(lock, test::kLimit, [&] { return asked() >= times; });
  }
  static int times_asked() {
    const std::lock_guard lock{mutex()};
    return asked();
  }

 private:
  static void set(bool hanging) {
    const std::lock_guard lock{mutex()};
    hangs() = hanging;
    if (hanging) asked() = 0;
    changed().notify_all();
  }
  // Never destroyed: threads that look up are left alone, and may outlive all tests.
  static std::mutex& mutex() {
    static auto& it = *new std::mutex;
    return it;
  }
  static std::condition_variable& changed() {
    static auto& it = *new std::condition_variable;
    return it;
  }
  static bool& hangs() {
    static bool it = false;
    return it;
  }
  static int& asked() {
    static int it = 0;
    return it;
  }
};

}  // namespace

/// For the one below, which is outside of all namespaces.
void wait_if_slow(const char* host) { HangingNameService::wait_if_slow(host); }

}  // namespace sluice::mqtt

// The C library's own is called by whoever does not look for a numeric address, Paho among them.
extern "C" int getaddrinfo(const char* host, const char* service, const addrinfo* hints,
                           addrinfo** found) {
  using Original = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  static const auto original = reinterpret_cast<Original>(::dlsym(RTLD_NEXT, "getaddrinfo"));
  if (hints == nullptr || (hints->ai_flags & AI_NUMERICHOST) == 0) sluice::mqtt::wait_if_slow(host);
  return original(host, service, hints, found);
}

namespace sluice::mqtt {
namespace {

/// Fails the test, and does not wait for ever, if `stop` waits for the name service.
void expect_to_end(const std::function<void()>& stop, std::optional<HangingNameService>& service) {
  auto ended = std::async(std::launch::async, stop);
  const bool in_time = ended.wait_for(test::kLimit) == std::future_status::ready;
  service.reset();
  EXPECT_TRUE(in_time);
}

TEST(LookUp, ThatTakesTooLongIsGivenUpAndNotBegunTwice) {
  std::optional<HangingNameService> service{std::in_place};
  Resolver resolver{Duration{50}};
  for (int round = 0; round < 3; ++round) {
    const auto found = resolver.look_up({std::string{kSlowHost}, "1883"}, [] { return false; });
    ASSERT_FALSE(found);
    EXPECT_THAT(found.error().message(),
                HasSubstr("the look-up of host name slow.invalid takes too long"));
  }
  ASSERT_TRUE(HangingNameService::wait_until_asked(1));
  EXPECT_EQ(HangingNameService::times_asked(), 1);
}

TEST(LookUp, EndsWhenItIsNotWantedAnyMore) {
  std::optional<HangingNameService> service{std::in_place};
  Resolver resolver{Duration{std::chrono::hours{1}}};
  std::atomic<bool> cancelled{false};
  auto found = std::async(std::launch::async, [&] {
    return bool{
        resolver.look_up({std::string{kSlowHost}, "1883"}, [&] { return cancelled.load(); })};
  });
  ASSERT_TRUE(HangingNameService::wait_until_asked(1));
  cancelled = true;
  const bool in_time = found.wait_for(test::kLimit) == std::future_status::ready;
  service.reset();
  ASSERT_TRUE(in_time);
  EXPECT_FALSE(found.get());
}

TEST(LookUp, OfAnAddressAsksNobody) {
  std::optional<HangingNameService> service{std::in_place};
  Resolver resolver{Duration{0}};
  EXPECT_TRUE(resolver.look_up({"127.0.0.1", "1883"}, [] { return false; }));
  EXPECT_TRUE(resolver.look_up({"::1", "1883"}, [] { return false; }));
}

TEST(LookUp, HoldsUpNoStop) {
  std::optional<HangingNameService> service{std::in_place};
  RecordingObserver observer;
  RecordingLog log;
  RecordingHandler handler;
  TestQueue queue;
  const auto source = make_source(test_options("mqtts://slow.invalid:1883"),
                                  {{"river", "levels/#", 1}}, observer, log);
  const auto sink = make_sink(test_options("mqtt://slow.invalid:1883"), observer, log);
  ASSERT_TRUE(source->start(handler));
  ASSERT_TRUE(sink->start(queue));
  ASSERT_TRUE(HangingNameService::wait_until_asked(2));
  expect_to_end(
      [&] {
        source->stop();
        sink->stop(Duration{0});
      },
      service);
}

}  // namespace
}  // namespace sluice::mqtt
