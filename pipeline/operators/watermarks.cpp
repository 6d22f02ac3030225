#include "pipeline/operators/watermarks.hpp"

#include <algorithm>

namespace sluice::detail {

namespace {

bool every_sender_idle(const CombinedTime& time) {
  return std::all_of(time.senders.begin(), time.senders.end(),
                     [](const SenderTime& s) { return s.idle; });
}

}  // namespace

Datum save(const CombinedTime& time) {
  const auto untouched = [](const SenderTime& s) {
    return s.watermark == kMinTimestamp && !s.idle && s.aligned;
  };
  const bool nothing = time.watermark == kMinTimestamp && !time.idle &&
                       std::all_of(time.senders.begin(), time.senders.end(), untouched);
  return nothing ? Datum{} : Codec<CombinedTime>::encode(time);
}

void restore(CombinedTime& time, const Datum& saved) {
  if (saved.is_null()) return;
  auto stored = Codec<CombinedTime>::decode(saved);
  if (stored.senders.size() == time.senders.size()) {
    time = std::move(stored);
  } else {
    time.watermark = stored.watermark;  // the receiver must not see it go down (WM-13)
  }
}

std::optional<Timestamp> CombinedWatermark::raise() {
  Timestamp lowest = kMaxTimestamp;
  bool any = false;
  for (const SenderTime& input : time_.senders) {
    if (input.idle) continue;
    any = true;
    lowest = std::min(lowest, input.watermark);
  }
  if (!any || lowest <= time_.watermark) return std::nullopt;
  time_.watermark = lowest;
  return lowest;
}

std::optional<Timestamp> CombinedWatermark::watermark(std::size_t input, Timestamp watermark) {
  SenderTime& of = time_.senders[input];
  of.idle = false;
  time_.idle = false;  // it counts again, and neither now nor later is ACTIVE sent for it (WM-11)
  of.watermark = std::max(of.watermark, watermark);
  return raise();
}

CombinedWatermark::Change CombinedWatermark::idle(std::size_t input, bool idle) {
  Change change;
  time_.senders[input].idle = idle;
  change.watermark = raise();
  if (const bool now = every_sender_idle(time_); now != time_.idle) {
    time_.idle = now;
    change.idle = now;
  }
  return change;
}

std::optional<Timestamp> ChannelValve::raise_to(Timestamp watermark) {
  if (watermark <= time_.watermark) return std::nullopt;
  time_.watermark = watermark;
  return watermark;
}

std::optional<Timestamp> ChannelValve::raise_to_minimum() {
  Timestamp lowest = kMaxTimestamp;
  bool any = false;
  for (const SenderTime& channel : time_.senders) {
    if (channel.idle || !channel.aligned) continue;
    any = true;
    lowest = std::min(lowest, channel.watermark);
  }
  return any ? raise_to(lowest) : std::nullopt;
}

std::optional<Timestamp> ChannelValve::watermark(std::size_t index, Timestamp watermark) {
  SenderTime& channel = time_.senders[index];
  if (channel.idle || time_.idle || watermark <= channel.watermark) return std::nullopt;
  channel.watermark = watermark;
  if (!channel.aligned && watermark >= time_.watermark) channel.aligned = true;
  return raise_to_minimum();
}

CombinedWatermark::Change ChannelValve::idle(std::size_t index, bool idle) {
  CombinedWatermark::Change change;
  SenderTime& channel = time_.senders[index];
  if (channel.idle == idle) return change;
  channel.idle = idle;
  if (!idle) {
    // Behind what was let through already, it does not count until it has caught up.
    channel.aligned = channel.watermark >= time_.watermark;
    if (time_.idle) change.idle = false;
    time_.idle = false;
    return change;
  }
  channel.aligned = false;
  if (every_sender_idle(time_)) {
    if (channel.watermark == time_.watermark) {
      Timestamp highest = kMinTimestamp;
      for (const SenderTime& c : time_.senders) highest = std::max(highest, c.watermark);
      change.watermark = raise_to(highest);
    }
    time_.idle = true;
    change.idle = true;
  } else if (channel.watermark == time_.watermark) {
    change.watermark = raise_to_minimum();
  }
  return change;
}

}  // namespace sluice::detail
