#include "tests/soak/voice.hpp"

#include <thread>

namespace sluice::soak {

using namespace std::chrono_literals;

bool wait_until(const std::function<bool()>& reached, std::chrono::milliseconds limit) {
  const auto until = Clock::now() + limit;
  while (!reached()) {
    if (Clock::now() >= until) return false;
    std::this_thread::sleep_for(10ms);
  }
  return true;
}

void Voice::command(const std::string& name) { courier_.send("sluice/soak/command/" + name, ""); }

void Voice::set_limit(double above) {
  limit_ = above;
  courier_.send("sluice/soak/config/flood", R"({"above": )" + std::to_string(above) + "}", {},
                true);
}

void Voice::rubbish(int messages, std::mt19937_64& random) {
  for (int i = 0; i < messages; ++i) {
    const Letter letter = soak::rubbish(random);
    courier_.send(letter.topic, letter.payload);
  }
}

bool Voice::wait_for_echo(std::chrono::milliseconds limit) {
  const auto until = Clock::now() + limit;
  while (Clock::now() < until) {
    const Letter letter = letter_of_marker(echoes_++);
    // The first ones go while nobody has subscribed, others while the broker is about to die.
    courier_.send(letter.topic, letter.payload, [this, readings = letter.readings](bool) {
      books_.sent(readings, Passage::kAtRisk);
    });
    courier_.flush();
    const auto heard = [&] { return books_.has_heard(letter.readings.front()); };
    if (wait_until(heard, echoes_ < 20 ? 500ms : 10s)) return true;
  }
  return false;
}

bool Voice::wait_until_healthy(std::chrono::milliseconds limit) {
  const auto begin = Clock::now();
  return wait_until(
      [&] {
        const auto status = world_.status();
        return status && status->heard > begin && status->healthy;
      },
      limit);
}

bool Voice::wait_for_checkpoint(std::chrono::milliseconds limit) {
  command("checkpoint");
  courier_.flush();
  if (!wait_for_echo(limit)) return false;
  std::optional<Status> before;
  const auto begin = Clock::now();
  return wait_until(
      [&] {
        const auto status = world_.status();
        if (!status || status->heard < begin) return false;
        if (!before) {
          before = status;
          command("checkpoint");
        }
        return status->checkpointed >= before->journalled;
      },
      limit);
}

}  // namespace sluice::soak
