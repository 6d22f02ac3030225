// Sampler: looks at the daemon from outside, and asks it, at a steady pace in a thread of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/soak/world.hpp"

namespace sluice::soak {

struct Sample {
  double seconds{};          ///< since the start of the sampler
  double age{};              ///< of the process, in seconds
  pid_t pid{};               ///< 0: none runs
  std::uint64_t resident{};  ///< bytes
  std::uint64_t threads{};
  std::uint64_t files{};         ///< open file descriptors
  std::uint64_t journal{};       ///< bytes on the disk
  std::uint64_t database{};      ///< with its log and its copies
  std::uint64_t published{};     ///< readings, by the rig
  std::uint64_t heard{};         ///< alerts, by the rig
  std::optional<Status> status;  ///< if it has answered lately
};

/// What is on the disk; files that come and go meanwhile do not matter.
void measure_files(const std::filesystem::path& data, Sample& sample);

class Sampler {
 public:
  Sampler(const World& world, const Books& books, std::string broker,
          std::chrono::milliseconds every);
  ~Sampler() { stop(); }
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  void stop();
  double seconds() const;
  /// Only when it has stopped.
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  void run();
  Sample take() const;

  const World& world_;
  const Books& books_;
  std::string broker_;
  std::chrono::milliseconds every_;
  Clock::time_point begin_{Clock::now()};
  std::vector<Sample> samples_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace sluice::soak
