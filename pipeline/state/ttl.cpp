#include "pipeline/state/ttl.hpp"

#include <string>

#include "pipeline/base/errors.hpp"

namespace sluice::detail {

TtlPolicy::TtlPolicy(const TtlConfig& config, const Timestamp* now)
    : config_{config}, now_{now}, enabled_{config.update != TtlConfig::Update::kDisabled} {
  if (enabled_ && config.ttl.count() <= 0) {
    throw InvalidArgument{"a state's time-to-live must be positive, not " +
                          std::to_string(config.ttl.count()) + " ms (TTL-22)"};
  }
}

}  // namespace sluice::detail
