// Time zones from the system's tz database (TZif files, RFC 8536), for devices that publish local
// time. The standard library's own reader is not there yet in the compilers we support.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/result.hpp"
#include "plugins/formats/posix_zone_rule.hpp"

namespace sluice::formats {

/// Immutable once loaded; any thread.
class TimeZone {
 public:
  /// By name, e.g. "Europe/Berlin". The error says whether the name or the database is missing.
  static Result<std::shared_ptr<const TimeZone>> load(std::string_view name);

  /// From the bytes of a TZif file of any version. Never reads outside of them.
  static Result<TimeZone> parse(std::string_view bytes);

  /// Seconds to add to UTC for local time, at this UTC second.
  std::int32_t offset_at(std::int64_t utc_seconds) const;

  /// UTC of a local wall-clock time. An hour that the clocks skip is read as if they had not been
  /// changed yet. In an hour that comes twice, it is the second one if that has begun by
  /// `received` (UTC seconds; half an hour of clock difference is allowed for), else the first.
  std::int64_t to_utc(std::int64_t local_seconds, std::int64_t received) const;

 private:
  std::vector<std::int64_t> changes_;  ///< UTC seconds, growing
  std::vector<std::int32_t> offsets_;  ///< offsets_[i] holds from changes_[i] on
  std::int32_t first_offset_{};        ///< before all changes
  std::optional<PosixZoneRule> rule_;  ///< after all changes
};

}  // namespace sluice::formats
