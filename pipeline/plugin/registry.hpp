// Registry: every plugin, payload format and monitor kind by name, whether linked in or loaded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/result.hpp"
#include "pipeline/plugin/format.hpp"
#include "pipeline/plugin/monitor.hpp"

namespace sluice {

/// Filled at start, then only read; any thread may read. Owns nothing: what is added lives as long
/// as the program (plugins are never unloaded).
class Registry {
 public:
  /// A plugin that contributed, or is about to.
  struct Plugin {
    std::string name;
    std::string version;
    std::string from;  ///< the file, or "built in"
  };
  /// kConflict if there is one of that name; the message says from where.
  Status add_plugin(Plugin plugin);

  /// kConflict if the name is taken; the message says by which plugin. kInvalid if it is no plain
  /// name, or the table of options is of no use (check_option_table). `origin` is the plugin's
  /// name, for such messages and for `sluice plugins`.
  Status add(const Format& format, std::string_view origin);
  Status add(const MonitorKind& kind, std::string_view origin);

  /// nullptr if there is none of that name.
  const Format* format(std::string_view name) const;
  const MonitorKind* monitor(std::string_view name) const;

  template <class T>
  struct Entry {
    const T* item;
    std::string origin;
  };
  /// In the order they were added.
  const std::vector<Plugin>& plugins() const { return plugins_; }
  const std::vector<Entry<Format>>& formats() const { return formats_; }
  const std::vector<Entry<MonitorKind>>& monitors() const { return monitors_; }

 private:
  std::vector<Plugin> plugins_;
  std::vector<Entry<Format>> formats_;
  std::vector<Entry<MonitorKind>> monitors_;
};

}  // namespace sluice
