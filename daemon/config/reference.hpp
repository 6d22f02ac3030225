// The configuration reference and the example file, made from the option tables alone, so that
// they cannot say anything else than what the program checks. Pure functions, any thread.
#pragma once

#include <string>

#include "daemon/config/catalog.hpp"

namespace sluice::daemon {

/// docs/configuration.md
std::string configuration_reference(const KindCatalog& catalog);

/// etc/sluice.toml: a small site that works as it is, and every other option as a comment with its
/// fallback. load_config() accepts it.
std::string example_file(const KindCatalog& catalog);

}  // namespace sluice::daemon
