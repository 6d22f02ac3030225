// The subcommands that answer and end: check, version, plugins, config-reference.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

#include "daemon/cli.hpp"
#include "daemon/config/catalog.hpp"
#include "daemon/config/config.hpp"
#include "pipeline/plugin/registry.hpp"

namespace sluice::daemon {

/// Writes all of it; kExitFailure if the stream does not take it (a full disk, a closed pipe).
int print(std::FILE* stream, std::string_view text);

/// Puts a configuration that reads well to work, as far as that goes without a broker and state.
using TryOut = std::function<Status(const Config& config)>;

/// `sluice check`: "FILE: ok, 2 sources, 3 monitors" on `out`, or all problems on `err`.
int check_command(const CommandLine& command_line, const KindCatalog& catalog,
                  const TryOut& try_out, std::FILE* out, std::FILE* err);

/// `sluice plugins`: one line for each plugin that was loaded, each format and each monitor kind.
std::string plugins_text(const std::vector<Registry::Plugin>& plugins, const KindCatalog& catalog);

/// `sluice config-reference`, with or without --example.
std::string reference_text(const CommandLine& command_line, const KindCatalog& catalog);

}  // namespace sluice::daemon
