// What the processes of child.hpp do. They are killed, or kill themselves; none ends by itself.
#include "tests/unit/mqtt/child.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "tests/unit/mqtt/recorders.hpp"

namespace sluice::mqtt {
namespace {

MqttOptions options_of_child() {
  return test_options(std::getenv("SLUICE_TEST_BROKER"),
                      std::atoi(std::getenv("SLUICE_TEST_VERSION")));
}

/// Dies as in a crash between the journal and the acknowledgement.
class DyingHandler : public MessageHandler {
 public:
  void on_message(const MessageView& view) noexcept override {
    std::cout << "packet " << view.packet_id << " duplicate " << view.duplicate << std::endl;
    std::raise(SIGKILL);
  }
};

[[noreturn]] void sleep_until_killed() {
  while (true) std::this_thread::sleep_for(std::chrono::seconds{1});
}

TEST(Child, DISABLED_DiesInTheHandler) {
  RecordingObserver observer;
  RecordingLog log;
  DyingHandler handler;
  const auto source = make_source(options_of_child(), {{"levels", "levels/#", 1}}, observer, log);
  ASSERT_TRUE(source->start(handler));
  sleep_until_killed();
}

TEST(Child, DISABLED_KeepsASinkOpen) {
  RecordingObserver observer;
  RecordingLog log;
  TestQueue queue;
  MqttOptions options = options_of_child();
  options.status_topic = "site/status";
  const auto sink = make_sink(options, observer, log);
  ASSERT_TRUE(sink->start(queue));
  sleep_until_killed();
}

}  // namespace
}  // namespace sluice::mqtt
