// EventTime: where a running job stands in event time, as part of its snapshots.
//
// Flink does not keep it (WM-14): after a restore no watermark is known until the sources have
// made new ones, so what is late, and when windows and event-time timers fire, may differ from a
// run that was not cut. A job with JobOptions::keep_event_time keeps it: the watermark of each
// operator, of each of its inputs, and what watermark generators have seen. Engine thread only.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/graph/gate.hpp"
#include "pipeline/operators/operator.hpp"
#include "pipeline/state/snapshot.hpp"

namespace sluice::detail {

struct Node;

/// The uid that it has in snapshots; operators cannot have it.
inline constexpr std::string_view kEventTimeUid = "$event-time";

class EventTime {
 public:
  /// One operator instance with the gates of its inputs; all outlive this.
  void add(std::string name, Operator& op, std::vector<GateBase*> gates);

  /// Puts all instances back to where they were in `snapshot`, without a sound. Those that are not
  /// in it start at the beginning. Throws StateMigrationError if it is damaged.
  void restore(const JobSnapshot& snapshot);
  /// Puts all instances back to the beginning, without a sound.
  void reset();
  /// Writes where all stand, or what changed since the last time.
  void write(SnapshotWriter& writer, bool full);

 private:
  struct Instance {
    Operator* op{};
    std::vector<GateBase*> gates;
  };
  static Datum save(const Instance& instance);
  static void restore(const Instance& instance, const Datum& saved);

  std::map<std::string, Instance> instances_;
  std::map<std::string, Datum> written_;  ///< what the last snapshot had
};

/// A name for each node that stays the same as long as the graph does: its uid and number of
/// inputs, or what it is and what it gets its elements from.
std::vector<std::string> lasting_names(const std::deque<Node>& nodes);

}  // namespace sluice::detail
