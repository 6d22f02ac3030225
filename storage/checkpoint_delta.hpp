// The changes of one snapshot, collected on the engine thread and written by another one.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "pipeline/state/snapshot.hpp"

namespace sluice::storage {

/// Owned by one thread at a time; moving it hands it over. Collecting is a move into a vector.
class CheckpointDelta final : public SnapshotWriter {
 public:
  struct Row {
    Datum key;
    std::optional<Datum> value;  ///< none: erased
  };
  struct State {
    std::size_t operator_index{};
    StateInfo info;
    bool full{};
    std::vector<Row> rows;
  };

  void begin_operator(const OperatorInfo& info) override;
  void begin_state(const StateInfo& info, bool full) override;
  void put(Datum key, Datum value) override;
  void erase(Datum key) override;

  /// Adds what came later: for a delta that could not be written, whose changes nobody else has
  /// any more.
  void append(CheckpointDelta&& newer);

  const std::vector<OperatorInfo>& operators() const { return operators_; }
  const std::vector<State>& states() const { return states_; }
  std::size_t rows() const;
  bool empty() const { return operators_.empty(); }

 private:
  std::vector<OperatorInfo> operators_;
  std::vector<State> states_;
};

}  // namespace sluice::storage
