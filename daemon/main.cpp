// The program: reads the command line and hands over.
#include <cstdio>
#include <exception>
#include <string>
#include <variant>

#include "daemon/builtins.hpp"
#include "daemon/cli.hpp"
#include "daemon/commands.hpp"
#include "daemon/engine/counters.hpp"
#include "daemon/engine/machine.hpp"
#include "daemon/exit_codes.hpp"
#include "daemon/logging.hpp"
#include "daemon/run.hpp"

namespace {

using namespace sluice::daemon;

/// With the plugins that the file loads; what they were refused for is on standard error already.
int check(const CommandLine& command_line) {
  const auto log = make_log({.level = sluice::LogLevel::kWarning});
  const auto kinds = load_kinds(command_line.config_path, *log);
  // What a monitor does wrong when it is built or opened would keep the daemon from starting.
  const auto try_out = [&](const Config& config) -> sluice::Status {
    Counters counters;
    const auto machine = Machine::start(config, kinds->registry, {}, counters, *log);
    return machine ? sluice::Status{} : sluice::Status{machine.error()};
  };
  const int status = check_command(command_line, *kinds->catalog, try_out, stdout, stderr);
  return kinds->plugins.refused.empty() ? status : kExitConfig;
}

int list_plugins(const CommandLine& command_line) {
  const auto log = make_log({.level = sluice::LogLevel::kWarning});
  const auto kinds = load_kinds(command_line.config_path, *log);
  return print(stdout, plugins_text(kinds->registry.plugins(), *kinds->catalog));
}

/// Without the plugins of this machine, unless a file is named that loads them.
int config_reference(const CommandLine& command_line) {
  if (command_line.config_path.empty()) {
    return print(stdout, reference_text(command_line, builtin_catalog()));
  }
  const auto log = make_log({.level = sluice::LogLevel::kWarning});
  const auto kinds = load_kinds(command_line.config_path, *log);
  return print(stdout, reference_text(command_line, *kinds->catalog));
}

int dispatch(const CommandLine& command_line) {
  switch (command_line.command) {
    case Command::kRun: return run_daemon(command_line);
    case Command::kCheck: return check(command_line);
    case Command::kVersion: return print(stdout, version_text());
    case Command::kPlugins: return list_plugins(command_line);
    case Command::kConfigReference: return config_reference(command_line);
  }
  return kExitUsage;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto parsed = parse_command_line(argc, argv);
    if (const auto* exit = std::get_if<CommandLineExit>(&parsed)) {
      print(exit->status == kExitOk ? stdout : stderr, exit->text);
      return exit->status;
    }
    return dispatch(std::get<CommandLine>(parsed));
  } catch (const std::exception& fault) {
    print(stderr, std::string{"sluice: "} + fault.what() + "\n");
    return kExitFailure;
  }
}
