// RejectDesk: messages that gave no reading: counted by source and reason, logged at most once a
// minute for each, published while a source does not send more than one a second on average.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "daemon/engine/announcer.hpp"
#include "daemon/engine/counters.hpp"
#include "pipeline/base/log.hpp"
#include "storage/journal/record.hpp"

namespace sluice::daemon {

/// Engine thread.
class RejectDesk {
 public:
  RejectDesk(Announcer& announcer, Counters& counters, Log& log)
      : announcer_{announcer}, counters_{counters}, log_{log} {}

  /// `detail` is printable already. `quiet`: a replay, which counts and says nothing again.
  void reject(const storage::JournalRecord& record, RejectReason reason, const std::string& detail,
              bool quiet, std::vector<Publication>& out);

 private:
  /// Of one source: the minute at hand, and what was published in it.
  struct Recent {
    Timestamp minute{kMinTimestamp};
    int published{0};
    std::uint64_t unpublished{0};  ///< only counted, since the last that was published
  };
  bool may_publish(Recent& recent, Timestamp now) const;

  Announcer& announcer_;
  Counters& counters_;
  Log& log_;
  std::map<std::string, Recent> recent_;
};

}  // namespace sluice::daemon
