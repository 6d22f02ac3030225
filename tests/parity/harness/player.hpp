// Player: plays a script through N subtasks of one operator, with a clock that scripts set.
//
// Where Flink's harness differs from a running job, this one follows the harness: processing-time
// timers fire at their time, the TTL clock is the same clock, and after an exception the same
// instances go on (ORA-01, ORA-03); overdue timers fire within the restore step (ORA-05).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "pipeline/state/snapshot.hpp"
#include "tests/parity/harness/catalog.hpp"
#include "tests/parity/harness/script.hpp"
#include "tests/parity/harness/subtask.hpp"

namespace sluice::parity {

enum class Snapshots { kFull, kIncremental };

class Player {
 public:
  Player(const Script& script, const Job& job, Snapshots snapshots);

  /// The answers to the start (step 0) and to each step, in the form of Flink's.
  std::vector<Json> play();

 private:
  void start();
  void perform(const Json& step);
  void element(const Json& step);
  void watermark(const Json& step);
  void idle(const Json& step);
  void advance(Timestamp now);
  void snapshot();
  void restore(const Json& step);
  void end_input();
  void create_instances();
  void open(Subtask& subtask);

  template <class F>
  Json answer(const Json& step, F&& action);
  void add_outputs(Json& answer);
  void add_timers(Json& answer) const;

  /// Inputs that a step is about: one, or all.
  std::vector<std::size_t> inputs_of(const Json& step) const;
  std::size_t subtask_for(std::size_t input, const Json& step);

  const Script& script_;
  const Job& job_;
  Snapshots snapshots_;
  Json options_;
  std::uint32_t parallelism_;
  Timestamp now_;
  std::vector<std::unique_ptr<Subtask>> subtasks_;
  std::optional<MemorySnapshot> last_;
  std::uint32_t last_parallelism_{0};  ///< of the instances that `last_` is of
  bool need_full_{true};               ///< an incremental snapshot has nothing to build upon
  std::uint64_t checkpoint_{0};
  std::size_t next_subtask_{0};
  bool ended_{false};
  bool opened_{true};    ///< the last of the instances
  bool storable_{true};  ///< a state that was refused at restore fails Flink's checkpoints
};

}  // namespace sluice::parity
