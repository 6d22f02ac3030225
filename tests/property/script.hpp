// Random scripts for property tests: what a stateful operator can be asked to do, step by step.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "pipeline/base/time.hpp"

namespace sluice::property {

enum class Action : std::uint8_t {
  kValueSet,
  kValueClear,
  kListAdd,
  kListReplace,
  kListClear,
  kMapPut,
  kMapRemove,
  kMapClear,
  kReduce,
  kReduceClear,
  kAggregate,
  kAggregateClear,
  kEventTimer,
  kEventTimerDelete,
  kProcessingTimer,
  kProcessingTimerDelete,
  kReadAll,
  kActions,  // how many there are
};

struct Op {
  std::string key;
  Action action{};
  std::int64_t a{};
  std::int64_t b{};
};

/// One step: an element, a watermark, or the clock moving on.
struct Step {
  enum class Kind : std::uint8_t { kElement, kWatermark, kClock };
  Kind kind{};
  Op op;
  /// Of the element, the watermark or the clock. Watermarks only rise: they are not part of a
  /// checkpoint (WM-14), so an equal one would be news to a restored job and none to an uncut one.
  Timestamp at{};
};

using Script = std::vector<Step>;

/// The same seed gives the same script.
Script random_script(std::uint64_t seed, std::size_t steps);

/// For messages: one line a step.
std::string to_text(const Script& script);

}  // namespace sluice::property
