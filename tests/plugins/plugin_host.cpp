// Loads one plugin and runs one of its monitor kinds on readings from standard input:
//
//   plugin_host PLUGIN.so KIND OPTION=NUMBER <<< 'SENSOR LEVEL MILLISECONDS …'
//
// One line of output for each alert or value.
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include "daemon/plugin_loader.hpp"
#include "pipeline/graph/job.hpp"

namespace {

using namespace sluice;

class StandardError final : public Log {
 public:
  void write(LogLevel, std::string_view message,
             std::initializer_list<LogField>) noexcept override {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size()), message.data());
  }
  void write_limited(std::string_view, LogLevel level, std::string_view message,
                     std::initializer_list<LogField> fields) noexcept override {
    write(level, message, fields);
  }
};

int run(const MonitorKind& kind, const Options& options) {
  Environment env;
  const auto out = kind.build(
      {"monitor", env.from_source<Reading>("readings"), env.from_source<Setting>("settings")},
      options);
  out.sink_to([](const Output& o) {
    std::cout << o.sensor << " " << o.value.to_text() << " " << o.text << "\n";
  });
  const auto job = Job::start(env, {});
  if (!job) {
    std::cerr << job.error().message() << "\n";
    return 1;
  }
  Reading reading;
  while (std::cin >> reading.sensor >> reading.level >> reading.time) {
    (*job)->emit("readings", reading);
  }
  return 0;
}

int load_and_run(const std::string& path, const std::string& name, const std::string& option) {
  StandardError log;
  Registry registry;
  const auto report = daemon::load_plugins({{path}, {}}, {}, registry, log);
  const MonitorKind* const kind = registry.monitor(name);
  if (!report.refused.empty() || kind == nullptr) return 1;
  Options options = Options::fallbacks(kind->options());
  const auto equals = option.find('=');
  options.set(option.substr(0, equals), std::stod(option.substr(equals + 1)));
  return run(*kind, options);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 64;
  try {
    return load_and_run(argv[1], argv[2], argv[3]);
  } catch (const std::exception& fault) {
    std::cerr << fault.what() << "\n";
    return 1;
  }
}
