// Ops: runs the "ops" of a probe's element one by one and emits what each returned or threw. One
// that throws does not fail the element, so that a script can look at the state afterwards.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "pipeline/functions/collector.hpp"
#include "pipeline/functions/contexts.hpp"
#include "tests/parity/harness/emulation.hpp"
#include "tests/parity/harness/values.hpp"

namespace sluice::parity {

/// What an operation answers; nothing if the handler does not know it.
using OpResult = std::optional<Json>;
using OpHandler = std::function<OpResult(const std::string& op, const Json& step)>;

/// The answer of an operation that has nothing to say.
inline OpResult done() { return Json("ok"); }

/// `emulation` has what an operation says about Flink's answer; nullptr where none differs.
void run_ops(const Json& ops, Collector<std::string>& out, const std::vector<OpHandler>& handlers,
             Emulation* emulation = nullptr);

/// Whether a state with this option has a time-to-live (TTL-25).
inline bool has_ttl(const std::optional<TtlConfig>& ttl) {
  return ttl && ttl->update != TtlConfig::Update::kDisabled;
}

/// The key selector of the keyed probes.
inline std::string probe_key(const Json& element) { return as_text(element, "key"); }

inline OutputTag<std::string> side_tag() { return OutputTag<std::string>{"side"}; }

/// The operations of a timer service. Times are in "ts"; "max" is the largest one.
OpResult timer_op(TimerService& timers, const std::string& op, const Json& step);

/// For what Java lets compile and C++ does not: a null list, a null map, a null output tag, a
/// cast of the read-only view. Refused earlier than there, so it counts as refused.
class DoesNotCompile : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace sluice::parity
