#include "pipeline/operators/watermarks.hpp"

#include <algorithm>

namespace sluice::detail {

std::optional<Timestamp> CombinedWatermark::raise() {
  Timestamp lowest = kMaxTimestamp;
  bool any = false;
  for (const Input& input : inputs_) {
    if (input.idle) continue;
    any = true;
    lowest = std::min(lowest, input.watermark);
  }
  if (!any || lowest <= combined_) return std::nullopt;
  combined_ = lowest;
  return lowest;
}

bool CombinedWatermark::all_idle() const {
  return std::all_of(inputs_.begin(), inputs_.end(), [](const Input& i) { return i.idle; });
}

std::optional<Timestamp> CombinedWatermark::watermark(std::size_t input, Timestamp watermark) {
  Input& of = inputs_[input];
  of.idle = false;
  idle_ = false;  // it counts again, and neither now nor later is ACTIVE sent for it (WM-11)
  of.watermark = std::max(of.watermark, watermark);
  return raise();
}

CombinedWatermark::Change CombinedWatermark::idle(std::size_t input, bool idle) {
  Change change;
  inputs_[input].idle = idle;
  change.watermark = raise();
  if (const bool now = all_idle(); now != idle_) {
    idle_ = now;
    change.idle = now;
  }
  return change;
}

bool ChannelValve::all_idle() const {
  return std::all_of(channels_.begin(), channels_.end(), [](const Channel& c) { return c.idle; });
}

std::optional<Timestamp> ChannelValve::raise_to(Timestamp watermark) {
  if (watermark <= last_) return std::nullopt;
  last_ = watermark;
  return watermark;
}

std::optional<Timestamp> ChannelValve::raise_to_minimum() {
  Timestamp lowest = kMaxTimestamp;
  bool any = false;
  for (const Channel& channel : channels_) {
    if (channel.idle || !channel.aligned) continue;
    any = true;
    lowest = std::min(lowest, channel.watermark);
  }
  return any ? raise_to(lowest) : std::nullopt;
}

std::optional<Timestamp> ChannelValve::watermark(std::size_t index, Timestamp watermark) {
  Channel& channel = channels_[index];
  if (channel.idle || idle_ || watermark <= channel.watermark) return std::nullopt;
  channel.watermark = watermark;
  if (!channel.aligned && watermark >= last_) channel.aligned = true;
  return raise_to_minimum();
}

CombinedWatermark::Change ChannelValve::idle(std::size_t index, bool idle) {
  CombinedWatermark::Change change;
  Channel& channel = channels_[index];
  if (channel.idle == idle) return change;
  channel.idle = idle;
  if (!idle) {
    // Behind what was let through already, it does not count until it has caught up.
    channel.aligned = channel.watermark >= last_;
    if (idle_) change.idle = false;
    idle_ = false;
    return change;
  }
  channel.aligned = false;
  if (all_idle()) {
    if (channel.watermark == last_) {
      Timestamp highest = kMinTimestamp;
      for (const Channel& c : channels_) highest = std::max(highest, c.watermark);
      change.watermark = raise_to(highest);
    }
    idle_ = true;
    change.idle = true;
  } else if (channel.watermark == last_) {
    change.watermark = raise_to_minimum();
  }
  return change;
}

}  // namespace sluice::detail
