#include "tests/soak/load.hpp"

#include <chrono>

namespace sluice::soak {

Load::Load(const std::string& broker, Books& books, std::uint64_t seed, int rate)
    : books_{books}, gauges_{seed}, courier_{broker}, rate_{rate} {}

Load::~Load() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void Load::start() {
  thread_ = std::thread{[this] {
    try {
      run();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }};
}

void Load::stop() {
  stop_ = true;
  thread_.join();
  if (failure_) std::rethrow_exception(failure_);
}

void Load::run() {
  const std::chrono::microseconds pause{1'000'000 / rate_};
  auto due = std::chrono::steady_clock::now();
  while (!stop_) {
    publish();
    for (; burst_ > 0 && !stop_; --burst_) publish();
    // What a broker that was away has delayed is not made up for.
    due = std::max(due + pause, std::chrono::steady_clock::now() - std::chrono::milliseconds{100});
    std::this_thread::sleep_until(due);
  }
  courier_.flush();
}

void Load::publish() {
  Letter letter = gauges_.next();
  courier_.send(letter.topic, letter.payload,
                [this, risks = risks_.load(), readings = std::move(letter.readings)](bool unsure) {
                  books_.sent(readings, at_risk(risks) ? Passage::kAtRisk
                                        : unsure       ? Passage::kTwice
                                                       : Passage::kSure);
                });
}

bool Load::at_risk(std::uint64_t risks_when_sent) const {
  return risks_when_sent % 2 == 1 || risks_ != risks_when_sent;
}

}  // namespace sluice::soak
