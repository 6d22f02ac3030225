// The program: reads the command line and hands over.
#include <cstdio>
#include <exception>
#include <string>
#include <variant>

#include "daemon/builtins.hpp"
#include "daemon/cli.hpp"
#include "daemon/commands.hpp"
#include "daemon/exit_codes.hpp"
#include "daemon/logging.hpp"
#include "daemon/run.hpp"

namespace {

using namespace sluice::daemon;

/// With the plugins that the file loads; what they were refused for is on standard error already.
int check(const CommandLine& command_line) {
  const auto log = make_log({.level = sluice::LogLevel::kWarning});
  const auto kinds = load_kinds(command_line.config_path, *log);
  const int status = check_command(command_line, *kinds->catalog, stdout, stderr);
  return kinds->plugins.refused.empty() ? status : kExitConfig;
}

int list_plugins(const CommandLine& command_line) {
  const auto log = make_log({.level = sluice::LogLevel::kWarning});
  const auto kinds = load_kinds(command_line.config_path, *log);
  return print(stdout, plugins_text(*kinds->catalog));
}

int dispatch(const CommandLine& command_line) {
  switch (command_line.command) {
    case Command::kRun: return run_daemon(command_line);
    case Command::kCheck: return check(command_line);
    case Command::kVersion: return print(stdout, version_text());
    case Command::kPlugins: return list_plugins(command_line);
    case Command::kConfigReference:
      return print(stdout, reference_text(command_line, builtin_catalog()));
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
