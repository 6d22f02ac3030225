// The command line: what the user asked for, as plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "pipeline/base/log.hpp"

namespace sluice::daemon {

inline constexpr std::string_view kDefaultConfigPath = "/etc/sluice/sluice.toml";

enum class Command : std::uint8_t { kRun, kCheck, kVersion, kConfigReference, kPlugins };

struct CommandLine {
  Command command{Command::kRun};
  std::string config_path{kDefaultConfigPath};  ///< empty: none was named (config-reference)
  std::optional<std::string> data_dir;          ///< instead of what the file says
  std::optional<LogLevel> log_level;            ///< instead of what the file says
  bool example{false};  ///< config-reference: the example file, not the document
};

/// Parsing ended the program: the text to show and the exit status. A status of 0 (--help) belongs
/// on standard output, others on standard error.
struct CommandLineExit {
  int status{};
  std::string text;
};

/// Never throws, never prints, never exits. No subcommand at all is a usage error.
std::variant<CommandLine, CommandLineExit> parse_command_line(int argc, const char* const* argv);

/// "CLI11 2.1.2"
std::string command_line_library();

/// The version of this program and of the libraries under it, several lines.
std::string version_text();

}  // namespace sluice::daemon
