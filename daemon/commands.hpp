// The subcommands that answer and end: check, version, plugins, config-reference.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "daemon/cli.hpp"
#include "daemon/config/catalog.hpp"

namespace sluice::daemon {

/// Writes all of it; kExitFailure if the stream does not take it (a full disk, a closed pipe).
int print(std::FILE* stream, std::string_view text);

/// `sluice check`: "FILE: ok, 2 sources, 3 monitors" on `out`, or all problems on `err`.
int check_command(const CommandLine& command_line, const KindCatalog& catalog, std::FILE* out,
                  std::FILE* err);

/// `sluice plugins`: one line for each format and monitor kind.
std::string plugins_text(const KindCatalog& catalog);

/// `sluice config-reference`, with or without --example.
std::string reference_text(const CommandLine& command_line, const KindCatalog& catalog);

}  // namespace sluice::daemon
