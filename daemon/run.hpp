// `sluice run`: the daemon from start to stop.
#pragma once

#include "daemon/cli.hpp"

namespace sluice::daemon {

/// Loads the configuration, runs until SIGTERM or SIGINT, and returns the exit status.
int run_daemon(const CommandLine& command_line);

}  // namespace sluice::daemon
