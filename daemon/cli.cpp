#include "daemon/cli.hpp"

#include <CLI/CLI.hpp>
#include <exception>
#include <map>
#include <sstream>
#include <vector>

#include "daemon/config/problem.hpp"
#include "daemon/exit_codes.hpp"
#include "daemon/log_level_words.hpp"

namespace sluice::daemon {

namespace {

std::string check_log_level(const std::string& word) {
  if (log_level_from_word(word)) return "";
  return "\"" + word + "\" is none of " + std::string{kLogLevelWords};
}

/// The values as CLI11 fills them in.
struct Raw {
  std::string config{kDefaultConfigPath};
  std::string reference_config;
  std::string data_dir;
  std::string log_level;
  bool example{false};
};

/// An empty value is a variable of a script that was not set; the default would hide that.
std::string not_empty(std::string& value) {
  return value.empty() ? "it must not be empty; leave the option out for the default" : "";
}

void add_config(CLI::App& command, Raw& raw) {
  command.add_option("-c,--config", raw.config, "The configuration file")
      ->type_name("FILE")
      ->check(CLI::Validator{not_empty, ""})
      ->capture_default_str();
}

std::map<Command, CLI::App*> add_commands(CLI::App& app, Raw& raw) {
  std::map<Command, CLI::App*> out;
  CLI::App* run = app.add_subcommand("run", "Run the daemon in the foreground");
  add_config(*run, raw);
  run->add_option("--data-dir", raw.data_dir, "The folder for journal and checkpoints")
      ->type_name("FOLDER")
      ->check(CLI::Validator{not_empty, ""});
  run->add_option("--log-level", raw.log_level, "debug, info, warning or error")
      ->type_name("LEVEL")
      ->check(check_log_level);
  out[Command::kRun] = run;

  CLI::App* check = app.add_subcommand("check", "Say whether a configuration file is right");
  add_config(*check, raw);
  out[Command::kCheck] = check;

  CLI::App* reference =
      app.add_subcommand("config-reference", "Print all options that a configuration may have");
  reference->add_flag("--example", raw.example, "Print a commented example file instead");
  reference
      ->add_option("-c,--config", raw.reference_config,
                   "A configuration file: with the kinds of the plugins that it loads")
      ->type_name("FILE")
      ->check(CLI::Validator{not_empty, ""});
  out[Command::kConfigReference] = reference;

  CLI::App* plugins = app.add_subcommand(
      "plugins", "List the plugins, formats and monitor kinds that a configuration can use");
  add_config(*plugins, raw);
  out[Command::kPlugins] = plugins;
  out[Command::kVersion] =
      app.add_subcommand("version", "Print the versions of this program and its libraries");
  return out;
}

CommandLine asked_for(const std::map<Command, CLI::App*>& commands, const Raw& raw) {
  CommandLine out;
  for (const auto& [command, app] : commands) {
    if (app->parsed()) out.command = command;
  }
  out.config_path = out.command == Command::kConfigReference ? raw.reference_config : raw.config;
  if (!raw.data_dir.empty()) out.data_dir = raw.data_dir;
  if (!raw.log_level.empty()) out.log_level = log_level_from_word(raw.log_level);
  out.example = raw.example;
  return out;
}

/// What to say where no command was found; the library would not name the word it did not know.
std::string no_command(const CLI::App& app, int argc, const char* const* argv) {
  std::string known;
  std::vector<std::string_view> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    names.push_back(command->get_name());
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  std::string out = "sluice: ";
  if (argc < 2) {
    out += "a command is missing";
  } else {
    const std::string hint = did_you_mean(argv[1], names);
    out += "there is no command '" + printable(argv[1]) + "'" + (hint.empty() ? "" : "; " + hint);
  }
  return out + "\nCommands are " + known + ". Run with --help for more information.\n";
}

}  // namespace

std::variant<CommandLine, CommandLineExit> parse_command_line(int argc, const char* const* argv) {
  CLI::App app{"Watches water levels over MQTT.", "sluice"};
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text(), "Print the versions, like the command");
  Raw raw;
  const auto commands = add_commands(app, raw);
  try {
    app.parse(argc, argv);
    return asked_for(commands, raw);
  } catch (const CLI::RequiredError&) {
    return CommandLineExit{kExitUsage, no_command(app, argc, argv)};
  } catch (const CLI::ParseError& fault) {
    std::ostringstream out;
    std::ostringstream err;
    const int status = app.exit(fault, out, err);
    return CommandLineExit{status == 0 ? kExitOk : kExitUsage, out.str() + err.str()};
  } catch (const std::exception& fault) {
    return CommandLineExit{kExitUsage, std::string{fault.what()} + "\n"};
  }
}

std::string command_line_library() { return "CLI11 " CLI11_VERSION; }

}  // namespace sluice::daemon
