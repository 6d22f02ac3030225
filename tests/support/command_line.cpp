#include "tests/support/command_line.hpp"

#include <CLI/CLI.hpp>
#include <utility>

namespace sluice::test {

CommandLine::CommandLine(const char* what_the_program_does)
    : app_{std::make_unique<CLI::App>(what_the_program_does)} {}

CommandLine::~CommandLine() = default;

void CommandLine::number(const char* name, int& value, const char* help, int low, int high) {
  app_->add_option(name, value, help)->check(CLI::Range(low, high));
}

void CommandLine::number(const char* name, double& value, const char* help, double low,
                         double high) {
  app_->add_option(name, value, help)->check(CLI::Range(low, high));
}

void CommandLine::choice(const char* name, int& value, const char* help, std::vector<int> allowed) {
  app_->add_option(name, value, help)->check(CLI::IsMember(std::move(allowed)));
}

void CommandLine::choices(const char* name, std::vector<std::string>& values, const char* help,
                          std::vector<std::string> allowed) {
  app_->add_option(name, values, help)->check(CLI::IsMember(std::move(allowed)));
}

void CommandLine::text(const char* name, std::string& value, const char* help) {
  app_->add_option(name, value, help);
}

void CommandLine::flag(const char* name, bool& value, const char* help) {
  app_->add_flag(name, value, help);
}

void CommandLine::seed(std::uint64_t& value, const char* help) {
  app_->add_option("--seed", value, help);
}

std::optional<int> CommandLine::parse(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app_->exit(error);
  }
  return std::nullopt;
}

}  // namespace sluice::test
