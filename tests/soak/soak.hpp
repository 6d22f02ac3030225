// Soak: a mixed load and random faults for minutes or hours, and then the books.
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "tests/soak/books.hpp"
#include "tests/soak/load.hpp"
#include "tests/soak/record.hpp"
#include "tests/soak/sampler.hpp"
#include "tests/soak/voice.hpp"
#include "tests/soak/world.hpp"

namespace sluice::soak {

struct Options {
  std::filesystem::path sluice;  ///< the program under test
  std::filesystem::path out;     ///< the folder for what is recorded
  double minutes{1};
  std::uint64_t seed{1};
  int rate{200};  ///< messages a second
};

struct Report {
  Verdict verdict;
  Memory memory;
  std::vector<Blow> blows;
  std::uint64_t processes{};     ///< daemons that ran
  std::uint64_t duplicates{};    ///< redeliveries that the last one recognised
  std::uint64_t most_waiting{};  ///< in the outbox
  std::uint64_t most_journal{};
  std::uint64_t most_database{};
  std::uint64_t last_journal{};  ///< after the last restart
  std::uint64_t most_files{};
  std::uint64_t most_threads{};
  std::string no_plot;                  ///< why there is none
  std::vector<std::string> violations;  ///< sentences; none: all promises were kept
};

class Soak {
 public:
  explicit Soak(Options options);

  /// Throws std::runtime_error if a part of the rig fails.
  Report run();

 private:
  void strike_until_over();
  void strike(Clock::time_point end);
  void settle();
  void restart_in_peace();
  void judge();
  void require(bool promise, const std::string& otherwise);

  Options options_;
  std::mt19937_64 random_;
  std::chrono::seconds clock_{};  ///< how far the daemon's wall clock is off at rest
  Report report_;
  Books books_;
  World world_;
  Voice voice_;
  Load load_;
  Sampler sampler_;
  double pace_;
  Clock::time_point begin_;
};

}  // namespace sluice::soak
