// Time windows and how elements are assigned to them. Windows are by event time.
#pragma once

#include <algorithm>
#include <compare>
#include <vector>

#include "pipeline/base/errors.hpp"
#include "pipeline/base/time.hpp"
#include "pipeline/state/fields.hpp"

namespace sluice {

/// From `start` up to, but not including, `end`.
struct TimeWindow {
  Timestamp start{};
  Timestamp end{};

  /// The last millisecond that belongs to it; it is complete when the watermark gets there (WM-17).
  Timestamp max_timestamp() const { return end - 1; }
  bool touches(const TimeWindow& other) const { return start <= other.end && other.start <= end; }
  TimeWindow cover(const TimeWindow& other) const {
    return {std::min(start, other.start), std::max(end, other.end)};
  }
  friend auto operator<=>(const TimeWindow&, const TimeWindow&) = default;
};
SLUICE_FIELDS(TimeWindow, start, end)

/// Which windows an element of time `t` belongs to.
class WindowAssigner {
 public:
  /// Windows of `size` side by side. `offset` moves their borders: 9h for days that begin at 9.
  static WindowAssigner tumbling(Duration size, Duration offset = Duration{0});
  /// Windows of `size`, a new one every `slide`; an element is in size/slide of them.
  static WindowAssigner sliding(Duration size, Duration slide, Duration offset = Duration{0});
  /// A window that goes on as long as no gap of `gap` comes between two elements.
  static WindowAssigner sessions(Duration gap);

  std::vector<TimeWindow> assign(Timestamp t) const;
  /// Windows that touch become one (sessions).
  bool merging() const { return merging_; }

 private:
  WindowAssigner(Duration size, Duration slide, Duration offset, bool merging);
  bool is_less_than_size(Timestamp start, Timestamp t) const;

  Timestamp size_;
  Timestamp slide_;
  Timestamp offset_;
  bool merging_;
};

}  // namespace sluice
