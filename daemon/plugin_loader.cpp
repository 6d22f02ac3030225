#include "daemon/plugin_loader.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "pipeline/plugin/descriptor.hpp"

namespace sluice::daemon {

namespace {

namespace fs = std::filesystem;

constexpr const char* kEntry = "sluice_plugin";
using Entry = const PluginDescriptor* (*)() noexcept;

Error invalid(std::string message) { return {ErrorCode::kInvalid, std::move(message)}; }

/// "sluice::Registry::add(…)" for "_ZN6sluice8Registry3add…".
std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text{
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free};
  return text == nullptr ? symbol : text.get();
}

/// What the dynamic linker has to say, without the path that our message begins with anyway, and
/// with a cure for what a plugin of another version looks like: it needs what is not here.
std::string linker_fault(const std::string& path) {
  const char* fault = ::dlerror();
  std::string text = fault == nullptr ? "the dynamic linker gives no reason" : fault;
  if (text.rfind(path + ": ", 0) == 0) text.erase(0, path.size() + 2);
  constexpr std::string_view kUndefined = "undefined symbol: ";
  const auto at = text.find(kUndefined);
  if (at == std::string::npos) return "it cannot be loaded: " + printable(text, 400);
  std::string symbol = text.substr(at + kUndefined.size());
  symbol.erase(std::min(symbol.find_first_of(", \t"), symbol.size()));
  return "it needs \"" + printable(demangled(symbol), 300) + "\", which this Sluice (plugin ABI " +
         std::to_string(kPluginAbi) + ", " + kBuildStamp +
         ") does not have: rebuild it against this Sluice, and link to it what else it uses";
}

Result<std::string> real_path(const std::string& path) {
  if (path.empty() || path.front() != '/') {
    return invalid("a plugin is named by its absolute path: begin it with /");
  }
  std::error_code fault;
  const fs::path real = fs::canonical(path, fault);
  if (fault) {
    return Error{ErrorCode::kNotFound, fault.message() +
                                           ": install the plugin, or take it out of "
                                           "'load' in [plugins]"};
  }
  if (!fs::is_regular_file(real, fault)) return invalid("it is no file: name the plugin's .so");
  return real.string();
}

Result<const PluginDescriptor*> open(const std::string& path) {
  // All symbols now: one that is missing shall refuse the plugin, not end the daemon at night.
  // Local: two plugins may have functions of one name.
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return invalid(linker_fault(path));
  void* const symbol = ::dlsym(handle, kEntry);
  if (symbol == nullptr) {
    return invalid(std::string{"it is no plugin of Sluice: it has no symbol "} + kEntry +
                   "; define it with SLUICE_PLUGIN");
  }
  const PluginDescriptor* const descriptor = reinterpret_cast<Entry>(symbol)();
  if (descriptor == nullptr) {
    return invalid(std::string{kEntry} + "() returned nothing; define it with SLUICE_PLUGIN");
  }
  return descriptor;
}

class Loader {
 public:
  Loader(const PluginTrust& trust, Registry& registry, Log& log)
      : trust_{trust}, registry_{registry}, log_{log} {}

  void load_file(const std::string& path) {
    if (auto status = try_file(path); !status) refuse("plugin", path, std::move(status).error());
  }

  void load_folder(const std::string& folder) {
    std::vector<std::string> paths;
    std::error_code fault;
    fs::directory_iterator entry{folder, fault};
    // Nobody has to create the usual folder; one that somebody named should be there.
    if (fault == std::errc::no_such_file_or_directory && folder == kPluginDir) return;
    while (!fault && entry != fs::directory_iterator{}) {
      if (entry->path().extension() == ".so") paths.push_back(entry->path().string());
      entry.increment(fault);
    }
    if (fault) {
      refuse("plugins of folder", folder,
             {ErrorCode::kIo, fault.message() + ": create it, or correct 'dir' in [plugins]"});
    }
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths) load_file(path);
  }

  PluginReport take_report() { return std::move(report_); }

 private:
  Status try_file(const std::string& path) {
    auto real = real_path(path);
    if (!real) return std::move(real).error();
    if (std::find(seen_.begin(), seen_.end(), *real) != seen_.end()) return {};
    seen_.push_back(*real);
    SLUICE_RETURN_IF_ERROR(check_trust(*real, trust_));
    SLUICE_RETURN_IF_ERROR(check_shared_object(*real));
    if (const auto stamp = build_stamp_in(*real)) {
      SLUICE_RETURN_IF_ERROR(check_build_stamp(stamp->c_str()));
    }
    const auto descriptor = open(*real);
    if (!descriptor) return descriptor.error();
    SLUICE_RETURN_IF_ERROR(contribute(**descriptor, registry_, *real));
    report_.loaded.push_back({*real, (*descriptor)->name, (*descriptor)->version});
    log_.write(LogLevel::kInfo, "plugin " + report_.loaded.back().name + " " +
                                    printable(report_.loaded.back().version) + " loaded from " +
                                    printable(*real, 300));
    return {};
  }

  void refuse(std::string_view what, const std::string& path, Error error) {
    report_.refused.push_back(
        std::move(error).with_context(std::string{what} + " " + printable(path, 300)));
    log_.error(report_.refused.back().message());
  }

  const PluginTrust& trust_;
  Registry& registry_;
  Log& log_;
  std::vector<std::string> seen_;
  PluginReport report_;
};

}  // namespace

PluginReport load_plugins(const PluginsConfig& config, const PluginTrust& trust, Registry& registry,
                          Log& log) {
  Loader loader{trust, registry, log};
  for (const std::string& path : config.load) loader.load_file(path);
  if (!config.dir.empty()) loader.load_folder(config.dir);
  return loader.take_report();
}

}  // namespace sluice::daemon
