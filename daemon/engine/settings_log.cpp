#include "daemon/engine/settings_log.hpp"

namespace sluice::daemon {

namespace {
constexpr Timestamp kMinute = 60'000;
constexpr Timestamp kQuiet = 5'000;
}  // namespace

void SettingsLog::accepted(const Setting& setting, const std::string& payload, Timestamp now) {
  if (now >= saturating_add(minute_, kMinute)) {
    sum_up();
    minute_ = now;
    lines_ = 0;
  }
  newest_ = now;
  if (lines_ == kLinesPerMinute) {
    ++counted_[setting.monitor];
    return;
  }
  ++lines_;
  log_.write(LogLevel::kInfo,
             setting.removed ? "setting removed: back to the file's" : "setting accepted",
             {{"monitor", excerpt(setting.monitor)},
              {"sensor", excerpt(setting.sensor)},
              {"setting", excerpt(payload)}});
}

void SettingsLog::tend(Timestamp now) {
  if (counted_.empty()) return;
  const bool quiet = now >= saturating_add(newest_, kQuiet);
  if (quiet || now >= saturating_add(minute_, kMinute)) sum_up();
}

void SettingsLog::sum_up() {
  if (counted_.empty()) return;
  std::uint64_t all = 0;
  std::string by_monitor;
  for (const auto& [monitor, count] : counted_) {
    all += count;
    by_monitor +=
        (by_monitor.empty() ? "" : ", ") + printable(monitor) + " " + std::to_string(count);
  }
  counted_.clear();
  log_.write(LogLevel::kInfo,
             std::to_string(all) + (all == 1 ? " more setting" : " more settings") +
                 " accepted or removed; config-result has each",
             {{"monitors", by_monitor}});
}

}  // namespace sluice::daemon
