#include "daemon/commands.hpp"

#include <algorithm>

#include "daemon/config/reference.hpp"
#include "daemon/exit_codes.hpp"
#include "pipeline/base/log.hpp"

namespace sluice::daemon {

namespace {

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string{noun} + (count == 1 ? "" : "s");
}

std::string listed(std::string_view title, const std::vector<KindEntry>& kinds) {
  std::size_t width = 0;
  for (const KindEntry& kind : kinds) width = std::max(width, kind.name.size());
  std::string out = std::string{title} + "\n";
  for (const KindEntry& kind : kinds) {
    out += "  " + std::string{kind.name} + std::string(width - kind.name.size() + 2, ' ') +
           std::string{kind.help} + "\n";
  }
  return out;
}

}  // namespace

int print(std::FILE* stream, std::string_view text) {
  const bool whole = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  return whole && std::fflush(stream) == 0 ? kExitOk : kExitFailure;
}

int check_command(const CommandLine& command_line, const KindCatalog& catalog,
                  const TryOut& try_out, std::FILE* out, std::FILE* err) {
  const LoadedConfig loaded = load_config(command_line.config_path, catalog);
  if (!loaded.ok()) {
    print(err, loaded.rendered());
    return kExitConfig;
  }
  if (const Status status = try_out(loaded.config); !status) {
    print(err, command_line.config_path + ": error: " + status.error().message() + "\n");
    return kExitConfig;
  }
  return print(out, command_line.config_path + ": ok, " +
                        counted(loaded.config.sources.size(), "source") + ", " +
                        counted(loaded.config.monitors.size(), "monitor") + "\n");
}

std::string plugins_text(const std::vector<Registry::Plugin>& plugins, const KindCatalog& catalog) {
  std::string loaded;
  for (const auto& plugin : plugins) {
    if (plugin.from == "built in") continue;
    loaded += "  " + plugin.name + "  " + printable(plugin.version) + ", from " +
              printable(plugin.from, 300) + "\n";
  }
  return (loaded.empty() ? "" : "plugins\n" + loaded) + listed("formats", catalog.formats()) +
         listed("monitor kinds", catalog.monitors());
}

std::string reference_text(const CommandLine& command_line, const KindCatalog& catalog) {
  return command_line.example ? example_file(catalog) : configuration_reference(catalog);
}

}  // namespace sluice::daemon
