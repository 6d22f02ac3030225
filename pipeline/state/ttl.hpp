// TtlConfig: how long state lives after it was last written (or read). Semantics: TTL-01..26.
//
// The clock is the engine's processing time, never event time (TTL-24).
#pragma once

#include <cstdint>

#include "pipeline/base/time.hpp"

namespace sluice {

struct TtlConfig {
  enum class Update : std::uint8_t {
    kDisabled,          ///< no TTL at all (TTL-25)
    kOnCreateAndWrite,  ///< only writes renew (TTL-03)
    kOnReadAndWrite,    ///< a read that finds the value alive renews too (TTL-04)
  };
  enum class Visibility : std::uint8_t {
    kNeverReturnExpired,           ///< expired is absent, cleaned up or not (TTL-06)
    kReturnExpiredIfNotCleanedUp,  ///< the read that finds it expired returns it once (TTL-07)
  };

  Duration ttl{0};  ///< must be positive (TTL-22)
  Update update{Update::kOnCreateAndWrite};
  Visibility visibility{Visibility::kNeverReturnExpired};
  /// Background clean-up: how many entries each access looks at; 0 turns it off (TTL-14).
  std::uint32_t cleanup_size{5};
  /// Clean up with each change of the current key too, not only when the state is used (TTL-16).
  bool cleanup_every_record{false};
  /// Leave expired entries out of full snapshots (TTL-17).
  bool cleanup_full_snapshot{false};
};

namespace detail {

/// A TtlConfig at work: the rules above against a clock.
class TtlPolicy {
 public:
  /// `now` must outlive the policy. Throws InvalidArgument if ttl is not positive.
  TtlPolicy(const TtlConfig& config, const Timestamp* now);

  bool enabled() const { return enabled_; }
  Timestamp now() const { return *now_; }
  /// Gone at exactly stamp + ttl (TTL-01).
  bool expired(Timestamp stamp) const { return end_of(stamp) <= *now_; }
  /// The first moment at which what was written at `stamp` is gone.
  Timestamp end_of(Timestamp stamp) const { return saturating_add(stamp, config_.ttl.count()); }
  bool renews_on_read() const { return config_.update == TtlConfig::Update::kOnReadAndWrite; }
  bool returns_expired() const {
    return config_.visibility == TtlConfig::Visibility::kReturnExpiredIfNotCleanedUp;
  }
  const TtlConfig& config() const { return config_; }

 private:
  TtlConfig config_;
  const Timestamp* now_;
  bool enabled_;
};

}  // namespace detail
}  // namespace sluice
