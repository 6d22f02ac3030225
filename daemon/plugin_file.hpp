// What can be said of a plugin's file before any of it runs: where it is, whose it is, and whether
// it is a shared object for this machine. Any thread.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/result.hpp"

namespace sluice::daemon {

/// Whose files may be loaded. A plugin does whatever the daemon may do, so when running as a
/// service only root may have put it there.
struct PluginTrust {
  /// Owners of the file and of every folder above it, none of which others may write to. Nothing:
  /// anybody's.
  std::optional<std::vector<uid_t>> owners;

  /// Root's only for root, system accounts (uid below 1000) and whatever systemd started as a
  /// notifying service; anybody's for a person at a terminal, who could replace this program too.
  static PluginTrust of_this_process();
};

/// Whether `path` (absolute, without symbolic links) is as `trust` wants it. The message names what
/// is wrong with which folder or file, and the command that cures it.
Status check_trust(const std::string& path, const PluginTrust& trust);

/// Whether a file begins like a shared object for the machine this program was built for.
Status check_shared_object(const std::string& path);

/// The build stamp that stands in a file (pipeline/plugin/build_stamp.hpp), or nothing if there is
/// none. With it a plugin is refused before its code runs: a sanitizer's, for one, would end us.
std::optional<std::string> build_stamp_in(const std::string& path);

}  // namespace sluice::daemon
