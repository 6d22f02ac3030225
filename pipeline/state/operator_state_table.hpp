// OperatorStateTable: what all operator and broadcast states share: a schema, snapshots, restores.
#pragma once

#include <utility>

#include "pipeline/state/snapshot.hpp"

namespace sluice::detail {

/// One operator or broadcast state of one instance. Engine thread only.
class OperatorStateTable {
 public:
  explicit OperatorStateTable(StateInfo info) : info_{std::move(info)} {}
  virtual ~OperatorStateTable() = default;
  const StateInfo& info() const { return info_; }
  virtual void write(SnapshotWriter& writer, bool full) = 0;
  virtual void restore_row(const Datum& key, const Datum& value) = 0;

 private:
  StateInfo info_;
};

}  // namespace sluice::detail
