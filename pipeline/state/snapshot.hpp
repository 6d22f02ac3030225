// What a checkpoint is made of: states as typed tables of Datums, independent of where they are
// kept. The runtime writes them through SnapshotWriter and reads them back as JobSnapshot.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/base/datum.hpp"

namespace sluice {

/// Reaches disk: never renumber.
enum class StateKind : std::uint8_t {
  kValue = 1,
  kList = 2,
  kMap = 3,
  kReducing = 4,
  kAggregating = 5,
  kEventTimers = 6,       ///< rows: key = [key, timestamp], value = true
  kProcessingTimers = 7,  ///< likewise
  kSplitList = 8,         ///< operator list state; rows: key = position, value = element
  kUnionList = 9,         ///< likewise, all to everyone at restore (OS-04)
  kBroadcast = 10,        ///< rows: key = map key, value = map value
};

/// "value", "list", … for the schema and for messages.
std::string_view to_string(StateKind kind);

/// Identity and schema of one state of one subtask of an operator.
struct StateInfo {
  std::string name;
  StateKind kind{};
  std::string key_type;  ///< Codec schema of the key: "text", "i64", …; empty for operator lists
  std::string value_type;  ///< Codec schema of one value: "f64", "struct Mean{count:i64,mean:f64}"
  bool ttl{};              ///< values carry write stamps (TTL-20)

  friend bool operator==(const StateInfo&, const StateInfo&) = default;
};

/// Which operator instance the states that follow belong to.
struct OperatorInfo {
  std::string uid;
  std::uint32_t subtask{};
  std::uint32_t parallelism{1};
  std::uint32_t max_parallelism{128};
};

/// Receives a snapshot. Calls come as: begin_operator (begin_state (put | erase)*)*, for each
/// operator instance. Engine thread; must not block on a disk: collect, and write elsewhere.
class SnapshotWriter {
 public:
  virtual ~SnapshotWriter() = default;
  virtual void begin_operator(const OperatorInfo& info) = 0;
  /// With `full`, rows of this state that were written earlier are void; else rows are changes.
  virtual void begin_state(const StateInfo& info, bool full) = 0;
  virtual void put(Datum key, Datum value) = 0;
  virtual void erase(Datum key) = 0;
};

struct StateSnapshot {
  StateInfo info;
  std::vector<std::pair<Datum, Datum>> rows;
};

struct OperatorSnapshot {
  OperatorInfo info;
  std::vector<StateSnapshot> states;
};

/// A whole picture: what a job is restored from.
struct JobSnapshot {
  std::vector<OperatorSnapshot> operators;  ///< one per uid and subtask
};

/// Keeps a JobSnapshot in memory, applying increments to it. For tests, rescaling, embedding.
class MemorySnapshot final : public SnapshotWriter {
 public:
  void begin_operator(const OperatorInfo& info) override;
  void begin_state(const StateInfo& info, bool full) override;
  void put(Datum key, Datum value) override;
  void erase(Datum key) override;

  const JobSnapshot& job() const { return job_; }

 private:
  JobSnapshot job_;
  OperatorSnapshot* operator_{};
  StateSnapshot* state_{};
  bool full_{};
};

}  // namespace sluice
