// The command line of a test program: options in any order, checked, and --help.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sluice::test {

/// Says which options there are and which variable each one sets, then parses. A variable keeps
/// its value where its option is not given, and must outlive parse(). Names are like "--rounds".
class CommandLine {
 public:
  explicit CommandLine(const char* what_the_program_does);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// A number from `low` to `high`, both included.
  void number(const char* name, int& value, const char* help, int low, int high);
  void number(const char* name, double& value, const char* help, double low, double high);
  /// One of `allowed`.
  void choice(const char* name, int& value, const char* help, std::vector<int> allowed);
  /// One or more of `allowed`.
  void choices(const char* name, std::vector<std::string>& values, const char* help,
               std::vector<std::string> allowed);
  void text(const char* name, std::string& value, const char* help);
  /// Without a value: sets `value` to true.
  void flag(const char* name, bool& value, const char* help);
  /// "--seed": any number, of which what is random is made.
  void seed(std::uint64_t& value, const char* help);

  /// What main() returns at once, if anything: after --help, and after a wrong option, which is
  /// then explained on stderr.
  [[nodiscard]] std::optional<int> parse(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace sluice::test
