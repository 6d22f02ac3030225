// Load: publishes the gauges' messages at a steady pace, from a thread of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>
#include <thread>

#include "tests/soak/books.hpp"
#include "tests/support/courier.hpp"

namespace sluice::soak {

class Load {
 public:
  /// `rate`: messages a second.
  Load(const std::string& broker, Books& books, std::uint64_t seed, int rate);
  ~Load();
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  void start();
  /// Until the broker has acknowledged all. Throws what the thread threw.
  void stop();
  /// So many messages without a pause, on top.
  void burst(int messages) { burst_ += messages; }

  /// From here on to the end, messages are at the risk of a broker that is killed. Those that were
  /// under way at the beginning as well.
  void begin_risk() { ++risks_; }
  void end_risk() { ++risks_; }

 private:
  void run();
  void publish();
  bool at_risk(std::uint64_t risks_when_sent) const;

  Books& books_;
  Gauges gauges_;
  test::Courier courier_;
  int rate_;
  std::atomic<bool> stop_{false};
  std::atomic<int> burst_{0};
  std::atomic<std::uint64_t> risks_{0};  ///< odd: now
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace sluice::soak
