// Catalog: the jobs that scripts can name.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "pipeline/state/ttl.hpp"
#include "tests/parity/harness/subtask.hpp"

namespace sluice::parity {

struct Job {
  /// A new instance, not started yet, for a script's options.
  std::function<std::unique_ptr<Subtask>(const Json& options)> make;
};

using Catalog = std::map<std::string, Job>;

void add_document_jobs(Catalog& catalog);
void add_probes(Catalog& catalog);

/// The "ttl" option: {"ms", "update", "visibility", "cleanup"}, all but "ms" optional; "cleanup" is
/// "default", "none", "full" or "incremental:SIZE:EVERY_RECORD", several joined by "+".
TtlConfig ttl_of(const Json& options);

// --- for those who add jobs ---

/// What key_by() makes of a projection.
template <class T, class Projection>
auto keying_by(Projection projection) {
  using K = std::decay_t<std::invoke_result_t<Projection&, const T&>>;
  return detail::KeyingFactory<T, K>{[projection](detail::TypedKeySpace<K>* keys) {
    return std::make_unique<detail::TypedKeying<T, K, Projection>>(keys, projection);
  }};
}

}  // namespace sluice::parity
