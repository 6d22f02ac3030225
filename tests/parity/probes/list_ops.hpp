// ListOps: the operations on a probe's list state.
#pragma once

#include "pipeline/functions/runtime_context.hpp"
#include "tests/parity/harness/emulation.hpp"
#include "tests/parity/probes/ops.hpp"

namespace sluice::parity {

class ListOps {
 public:
  ListOps(RuntimeContext& context, const std::optional<TtlConfig>& ttl, Emulation& emulation);

  /// Nothing if `op` is no operation on lists.
  OpResult apply(const std::string& op, const Json& step);

 private:
  void add_all(const Json& step);
  /// Does an iterable that was got before show a later change?
  OpResult live(const Json& step);
  void add_in_loop(const Json& step);
  void update_in_loop(const Json& step);

  /// What Flink's get() does: with TTL it looks at no element yet, and drops nothing.
  struct Reading {
    ListView<NullableInt> view;
    bool existed;
    bool alive;  ///< some element is
  };
  Reading read();
  /// With TTL: whether Flink's view is over the stored list itself, and not over one that the
  /// reading has replaced (TTL-04).
  bool is_live(const Reading& reading) const { return !renews_ || !reading.alive; }

  static constexpr const char* kName = "list";

  ListState<NullableInt> list_;
  std::optional<TtlConfig> config_;
  bool ttl_;
  bool renews_;
  Emulation& emulation_;
};

}  // namespace sluice::parity
