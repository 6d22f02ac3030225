// Books: how often each reading must be in the daemon's state, which alerts must come, and which
// came. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/soak/readings.hpp"

namespace sluice::soak {

/// How a message got to the broker.
enum class Passage {
  kSure,    ///< once
  kTwice,   ///< at least once: the sensor had to publish it again
  kAtRisk,  ///< perhaps: a broker that was killed may have forgotten or repeated it
};

struct Verdict {
  std::uint64_t readings{0};
  std::uint64_t sent_twice{0};  ///< of these
  std::uint64_t at_risk{0};     ///< of these
  std::uint64_t lost{0};
  std::uint64_t counted_twice{0};
  std::uint64_t strangers{0};  ///< counted, and never sent
  std::uint64_t alerts{0};     ///< that came
  std::uint64_t alerts_missing{0};
  std::uint64_t alerts_repeated{0};
  std::uint64_t recognisable{0};    ///< of these: with the id of the first
  std::uint64_t alerts_strange{0};  ///< of no reading that was sent
};

/// sensor → bin → how often.
using Counts = std::map<std::string, std::map<std::int64_t, std::uint64_t>>;

class Books {
 public:
  void sent(const std::vector<ReadingId>& readings, Passage passage);
  void heard_alert(const std::string& sensor, double value, const std::string& id);
  /// An alert or status that is none.
  void heard_nonsense();
  bool has_heard(const ReadingId& reading) const;
  std::uint64_t readings() const;
  std::uint64_t alerts() const;

  Verdict compare(const Counts& counted) const;

 private:
  struct Range {
    std::uint64_t least{0};
    std::uint64_t most{0};
  };
  struct Heard {
    std::uint64_t times{0};
    std::set<std::string> ids;
  };
  void compare_counts(const Counts& counted, Verdict& verdict) const;
  void compare_alerts(Verdict& verdict) const;
  /// What may be missing, or come twice with two ids.
  bool is_excused(const ReadingId& reading) const;

  mutable std::mutex mutex_;
  std::map<std::string, std::map<std::int64_t, Range>> cells_;
  std::map<std::string, std::uint64_t> sent_;  ///< how many readings of each sensor
  std::set<ReadingId> unsure_;                 ///< of sensors that raise alerts
  std::map<ReadingId, Heard> heard_;
  Verdict sums_;
};

/// From the checkpoint database of a daemon that has stopped. Throws std::runtime_error.
Counts counts_in(const std::string& database);

}  // namespace sluice::soak
