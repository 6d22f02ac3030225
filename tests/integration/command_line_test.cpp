// The subcommands that answer and end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/integration/site.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temp_dir.hpp"

namespace sluice::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const ExitStatus kOk{.code = 0, .signal = {}};
const ExitStatus kConfiguration{.code = 78, .signal = {}};

struct Answer {
  std::optional<ExitStatus> status;
  std::string output;
  std::string errors;
};

Answer ask(std::vector<std::string> arguments) {
  Process process{{.program = sluice_program(),
                   .arguments = std::move(arguments),
                   .environment = {},
                   .folder = {}}};
  const auto status = process.wait();
  return {status, process.output(), process.errors()};
}

TEST(CommandLine, ChecksTheConfigurationThatIsShipped) {
  const Answer answer = ask({"check", "-c", SLUICE_SOURCE_DIR "/etc/sluice.toml"});
  EXPECT_EQ(answer.status, kOk) << answer.errors;
  EXPECT_THAT(answer.output, HasSubstr("etc/sluice.toml: ok"));
}

TEST(CommandLine, ChecksItsOwnExample) {
  const Answer example = ask({"config-reference", "--example"});
  ASSERT_EQ(example.status, kOk);
  TempDir folder;
  const auto file = folder.write("example.toml", example.output);
  const Answer answer = ask({"check", "-c", file.string()});
  EXPECT_EQ(answer.status, kOk) << answer.errors;
}

TEST(CommandLine, ShowsWhereAConfigurationIsWrong) {
  TempDir folder;
  const auto file = folder.write("sluice.toml", "[site]\nid = \"t\"\nlog_levle = \"info\"\n");
  const Answer answer = ask({"check", "-c", file.string()});
  EXPECT_EQ(answer.status, kConfiguration);
  EXPECT_THAT(answer.errors, HasSubstr(file.string() + ":3:"));
  EXPECT_THAT(answer.errors, HasSubstr("^"));
  EXPECT_THAT(answer.errors, HasSubstr("log_level"));
}

TEST(CommandLine, DoesNotRunWithAWrongConfiguration) {
  TempDir folder;
  const auto file = folder.write("sluice.toml", "[site]\nid = 5\n");
  const Answer answer = ask({"run", "-c", file.string()});
  EXPECT_EQ(answer.status, kConfiguration);
  EXPECT_THAT(answer.errors, HasSubstr(file.string() + ":2:"));
}

TEST(CommandLine, NamesAConfigurationThatIsNotThere) {
  TempDir folder;
  const Answer answer = ask({"run", "-c", (folder / "none.toml").string()});
  EXPECT_EQ(answer.status, kConfiguration);
  EXPECT_THAT(answer.errors, HasSubstr("none.toml"));
}

TEST(CommandLine, TellsItsVersion) {
  const Answer answer = ask({"version"});
  EXPECT_EQ(answer.status, kOk);
  EXPECT_THAT(answer.output, StartsWith("sluice "));
}

TEST(CommandLine, ListsWhatIsBuiltIn) {
  const Answer answer = ask({"plugins"});
  EXPECT_EQ(answer.status, kOk);
  for (const char* name : {"json", "delta", "threshold"})
    EXPECT_THAT(answer.output, HasSubstr(name));
}

}  // namespace
}  // namespace sluice::test
