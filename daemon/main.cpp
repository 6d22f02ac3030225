// The program: reads the command line and hands over.
#include <cstdio>
#include <exception>
#include <string>
#include <variant>

#include "daemon/cli.hpp"
#include "daemon/commands.hpp"
#include "daemon/exit_codes.hpp"
#include "daemon/run.hpp"

namespace {

using namespace sluice::daemon;

int dispatch(const CommandLine& command_line) {
  switch (command_line.command) {
    case Command::kRun: return run_daemon(command_line);
    case Command::kCheck: return check_command(command_line, builtin_catalog(), stdout, stderr);
    case Command::kVersion: return print(stdout, version_text());
    case Command::kPlugins: return print(stdout, plugins_text(builtin_catalog()));
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
