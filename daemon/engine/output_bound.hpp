// OutputBound: how much a monitor may say. One that floods would push the alerts of the others out
// of the outbox, and fill the memory; it has failed, like one that throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "pipeline/records/publication.hpp"

namespace sluice::daemon {

class OutputBound {
 public:
  /// Outputs of one monitor about one sensor because of one record. Many sensors may have something
  /// to say at once (a timer, the end of a window), and one may catch up with many windows.
  static constexpr std::uint32_t kMostOutputs = 10'000;
  /// Bytes of one publication.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20U;

  /// Call for each output, before it is made a publication. Throws std::length_error with a
  /// sentence for whoever wrote the monitor.
  void count(std::uint64_t record, const std::string& monitor, const std::string& sensor);
  /// Likewise, for the publication.
  static void check(const Publication& publication);

 private:
  /// Outputs about the same sensor in a row.
  struct Run {
    std::uint64_t record{};
    std::string sensor;
    std::uint32_t outputs{};
  };
  std::map<std::string, Run> runs_;  ///< by monitor
};

}  // namespace sluice::daemon
