#include "daemon/cli.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "daemon/commands.hpp"
#include "daemon/exit_codes.hpp"
#include "tests/unit/daemon/config/fake_catalog.hpp"

namespace sluice::daemon {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::variant<CommandLine, CommandLineExit> parse(std::vector<const char*> words) {
  words.insert(words.begin(), "sluice");
  return parse_command_line(static_cast<int>(words.size()), words.data());
}
CommandLine good(std::vector<const char*> words) {
  auto parsed = parse(std::move(words));
  const auto* exit = std::get_if<CommandLineExit>(&parsed);
  EXPECT_EQ(exit, nullptr) << exit->text;
  return std::get<CommandLine>(parsed);
}
CommandLineExit ended(std::vector<const char*> words) {
  return std::get<CommandLineExit>(parse(std::move(words)));
}

TEST(CommandLineOf, KnowsEveryCommand) {
  EXPECT_EQ(good({"run"}).command, Command::kRun);
  EXPECT_EQ(good({"check"}).command, Command::kCheck);
  EXPECT_EQ(good({"version"}).command, Command::kVersion);
  EXPECT_EQ(good({"plugins"}).command, Command::kPlugins);
  EXPECT_EQ(good({"plugins", "-c", "b.toml"}).config_path, "b.toml");
  EXPECT_EQ(good({"config-reference"}).command, Command::kConfigReference);
  EXPECT_FALSE(good({"config-reference"}).example);
  EXPECT_TRUE(good({"config-reference", "--example"}).example);
}

TEST(CommandLineOf, TakesWhatRunIsTold) {
  EXPECT_EQ(good({"run"}).config_path, kDefaultConfigPath);
  EXPECT_EQ(good({"run"}).data_dir, std::nullopt);
  const CommandLine line =
      good({"run", "-c", "a.toml", "--data-dir", "/srv/x", "--log-level", "debug"});
  EXPECT_EQ(line.config_path, "a.toml");
  EXPECT_EQ(line.data_dir, "/srv/x");
  EXPECT_EQ(line.log_level, LogLevel::kDebug);
  EXPECT_EQ(good({"check", "--config", "b.toml"}).config_path, "b.toml");
  EXPECT_EQ(good({"plugins", "--config", "b.toml"}).config_path, "b.toml");
  EXPECT_EQ(good({"config-reference", "--config", "b.toml"}).config_path, "b.toml");
  EXPECT_EQ(good({"config-reference"}).config_path, "") << "only what is built in";
}

TEST(CommandLineOf, EndsWithUsageForWhatItDoesNotKnow) {
  EXPECT_EQ(ended({}).status, kExitUsage);
  EXPECT_EQ(ended({"walk"}).status, kExitUsage);
  EXPECT_EQ(ended({"run", "--frobnicate"}).status, kExitUsage);
  EXPECT_EQ(ended({"run", "--log-level", "loud"}).status, kExitUsage);
  EXPECT_EQ(ended({"run", "-c"}).status, kExitUsage);
  EXPECT_EQ(ended({"run", "check"}).status, kExitUsage);
  EXPECT_FALSE(ended({"walk"}).text.empty());
  EXPECT_THAT(ended({"run", "--log-level", "loud"}).text,
              HasSubstr("\"loud\" is none of debug|info|warning|error"));
}

TEST(CommandLineOf, RefusesOptionsWithoutAValue) {
  for (const auto& words : std::vector<std::vector<const char*>>{{"run", "--config", ""},
                                                                 {"run", "-c", ""},
                                                                 {"run", "--data-dir", ""},
                                                                 {"check", "--config", ""},
                                                                 {"plugins", "--config", ""}}) {
    const auto end = ended(words);
    EXPECT_EQ(end.status, kExitUsage) << words[1];
    EXPECT_THAT(end.text, HasSubstr(words[1][1] == '-' ? words[1] : "--config"));
    EXPECT_THAT(end.text, HasSubstr("must not be empty")) << words[1];
  }
  for (const char* option : {"--config=", "--data-dir=", "--log-level=", "--log-level"}) {
    EXPECT_EQ(ended({"run", option}).status, kExitUsage) << option;
  }
  EXPECT_EQ(ended({"run", "--log-level", ""}).status, kExitUsage);
  EXPECT_EQ(ended({"run", "-c", "a", "-c", "b"}).status, kExitUsage);
}

TEST(CommandLineOf, NamesTheCommandThatItDoesNotKnow) {
  EXPECT_THAT(ended({"chek"}).text, HasSubstr("no command 'chek'; did you mean \"check\"?"));
  EXPECT_THAT(ended({"help"}).text, HasSubstr("Commands are "));
  EXPECT_THAT(ended({}).text, HasSubstr("a command is missing"));
}

TEST(CommandLineOf, PrintsTheVersionAsAnOptionToo) {
  EXPECT_EQ(ended({"--version"}).status, kExitOk);
  EXPECT_THAT(ended({"--version"}).text, StartsWith("sluice "));
}

TEST(CommandLineOf, HelpsWithoutComplaint) {
  EXPECT_EQ(ended({"--help"}).status, kExitOk);
  EXPECT_THAT(ended({"--help"}).text, HasSubstr("config-reference"));
  EXPECT_EQ(ended({"run", "--help"}).status, kExitOk);
}

TEST(VersionText, NamesTheProgramFirst) {
  EXPECT_THAT(version_text(), StartsWith("sluice "));
  EXPECT_THAT(version_text(), HasSubstr("toml11 "));
}

/// A stream to print to, and what was printed.
class Printed {
 public:
  std::FILE* stream() const { return file_.get(); }
  std::string text() const {
    std::string out;
    std::rewind(file_.get());
    for (int c = std::fgetc(file_.get()); c != EOF; c = std::fgetc(file_.get())) {
      out += static_cast<char>(c);
    }
    return out;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{std::tmpfile(), &std::fclose};
};

Status works(const Config&) { return {}; }

TEST(CheckCommand, PrintsProblemsAndTheStatusForThem) {
  const Printed out;
  const Printed err;
  CommandLine line;
  line.config_path = "no/such.toml";
  EXPECT_EQ(check_command(line, FakeCatalog{}, works, out.stream(), err.stream()), kExitConfig);
  EXPECT_EQ(out.text(), "");
  EXPECT_THAT(err.text(), StartsWith("no/such.toml: error: there is no such file"));
}

CommandLine about_a_good_file() {
  CommandLine line;
  line.config_path =
      (std::filesystem::path{SLUICE_SOURCE_DIR} / "tests/golden/config/good/two-sources.toml")
          .string();
  return line;
}

TEST(CheckCommand, CountsWhatIsThere) {
  const Printed out;
  const Printed err;
  const CommandLine line = about_a_good_file();
  EXPECT_EQ(check_command(line, FakeCatalog{}, works, out.stream(), err.stream()), kExitOk);
  EXPECT_EQ(out.text(), line.config_path + ": ok, 2 sources, 1 monitor\n");
  EXPECT_EQ(err.text(), "");
}

TEST(CheckCommand, SaysWhatWouldKeepTheDaemonFromStarting) {
  const Printed out;
  const Printed err;
  const CommandLine line = about_a_good_file();
  const TryOut fails = [](const Config& config) {
    return Status{Error{ErrorCode::kInternal, config.monitors.front().name + " is moody"}};
  };
  EXPECT_EQ(check_command(line, FakeCatalog{}, fails, out.stream(), err.stream()), kExitConfig);
  EXPECT_EQ(out.text(), "");
  EXPECT_THAT(err.text(), HasSubstr("error: "));
  EXPECT_THAT(err.text(), HasSubstr(" is moody\n"));
}

TEST(Print, ReportsAFullDisk) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> full{std::fopen("/dev/full", "w"),
                                                             &std::fclose};
  ASSERT_NE(full, nullptr);
  EXPECT_EQ(print(full.get(), "text"), kExitFailure);
}

TEST(PluginsText, ListsFormatsAndKinds) {
  EXPECT_EQ(plugins_text({{"water", "1", "built in"}}, FakeCatalog{}),
            "formats\n  json  JSON objects\n  text  A bare number\n"
            "monitor kinds\n  delta  Alerts when the level jumps\n"
            "  top    The highest levels so far\n");
}

TEST(PluginsText, BeginsWithThePluginsThatWereLoaded) {
  EXPECT_THAT(
      plugins_text({{"water", "1", "built in"}, {"tide", "2.1", "/opt/tide.so"}}, FakeCatalog{}),
      StartsWith("plugins\n  tide  2.1, from /opt/tide.so\nformats\n"));
}

}  // namespace
}  // namespace sluice::daemon
