// How watermarks of several inputs or channels become one. Engine thread only.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "pipeline/base/time.hpp"

namespace sluice::detail {

/// The inputs of a two-input operator: the minimum over those that are not idle, never going down.
/// Semantics: WM-11, CO-05, BC-13.
class CombinedWatermark {
 public:
  explicit CombinedWatermark(std::size_t inputs) : inputs_(inputs) {}

  /// The new watermark, if it rose. A watermark on an idle input makes the input count again.
  std::optional<Timestamp> watermark(std::size_t input, Timestamp watermark);

  struct Change {
    std::optional<Timestamp> watermark;  ///< goes out first
    std::optional<bool> idle;            ///< the combined status, if it changed
  };
  Change idle(std::size_t input, bool idle);

 private:
  struct Input {
    Timestamp watermark{kMinTimestamp};
    bool idle{false};
  };
  std::optional<Timestamp> raise();
  bool all_idle() const;

  std::vector<Input> inputs_;
  Timestamp combined_{kMinTimestamp};
  bool idle_{false};
};

/// The channels of one input, one from each instance upstream: the minimum over those that are
/// active and aligned. Lower or equal watermarks of a channel are ignored. Semantics: WM-13, WM-15.
class ChannelValve {
 public:
  explicit ChannelValve(std::size_t channels) : channels_(channels) {}

  std::optional<Timestamp> watermark(std::size_t channel, Timestamp watermark);
  CombinedWatermark::Change idle(std::size_t channel, bool idle);

 private:
  struct Channel {
    Timestamp watermark{kMinTimestamp};
    bool idle{false};
    bool aligned{true};
  };
  std::optional<Timestamp> raise_to_minimum();
  std::optional<Timestamp> raise_to(Timestamp watermark);
  bool all_idle() const;

  std::vector<Channel> channels_;
  Timestamp last_{kMinTimestamp};
  bool idle_{false};
};

}  // namespace sluice::detail
