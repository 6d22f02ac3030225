// How watermarks of several inputs or channels become one. Engine thread only.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "pipeline/base/time.hpp"
#include "pipeline/state/codec.hpp"

namespace sluice::detail {

/// Where one sender stands in event time.
struct SenderTime {
  Timestamp watermark{kMinTimestamp};
  bool idle{false};
  bool aligned{true};  ///< not behind what was let through already; only channels may be (WM-15)
};
SLUICE_FIELDS(SenderTime, watermark, idle, aligned)

/// What several senders make together; the whole memory of the classes below.
struct CombinedTime {
  Timestamp watermark{kMinTimestamp};  ///< the last that went out
  bool idle{false};
  std::vector<SenderTime> senders;
};
SLUICE_FIELDS(CombinedTime, watermark, idle, senders)

/// For snapshots that keep event time: null while nothing has happened.
Datum save(const CombinedTime& time);
/// Null: starts over. With another number of senders they do, but what went out stays the least.
void restore(CombinedTime& time, const Datum& saved);

/// The inputs of a two-input operator: the minimum over those that are not idle, never going down.
/// Semantics: WM-11, CO-05, BC-13.
class CombinedWatermark {
 public:
  explicit CombinedWatermark(std::size_t inputs) { time_.senders.resize(inputs); }

  /// The new watermark, if it rose. A watermark on an idle input makes the input count again.
  std::optional<Timestamp> watermark(std::size_t input, Timestamp watermark);

  struct Change {
    std::optional<Timestamp> watermark;  ///< goes out first
    std::optional<bool> idle;            ///< the combined status, if it changed
  };
  Change idle(std::size_t input, bool idle);

  const CombinedTime& time() const { return time_; }
  CombinedTime& time() { return time_; }

 private:
  std::optional<Timestamp> raise();

  CombinedTime time_;
};

/// The channels of one input, one from each instance upstream: the minimum over those that are
/// active and aligned. Lower or equal watermarks of a channel are ignored. Semantics: WM-13, WM-15.
class ChannelValve {
 public:
  explicit ChannelValve(std::size_t channels) { time_.senders.resize(channels); }

  std::optional<Timestamp> watermark(std::size_t channel, Timestamp watermark);
  CombinedWatermark::Change idle(std::size_t channel, bool idle);

  const CombinedTime& time() const { return time_; }
  CombinedTime& time() { return time_; }

 private:
  std::optional<Timestamp> raise_to_minimum();
  std::optional<Timestamp> raise_to(Timestamp watermark);

  CombinedTime time_;
};

}  // namespace sluice::detail
