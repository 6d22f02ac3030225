// Reads a TOML file into a ConfigNode. The only place that knows which TOML library is used, and
// in which of its two incompatible versions. Any thread; never throws, whatever the bytes.
#pragma once

#include <string>
#include <string_view>

#include "daemon/config/config_node.hpp"
#include "daemon/config/problem.hpp"

namespace sluice::daemon {

/// What came of reading a file. `root` is a table, and complete, if there are no problems; a value
/// of a kind that no option has (a date) is a problem and a Refused node. `source` is the text,
/// for render_problems().
struct TomlFile {
  ConfigNode root;
  Problems problems;
  std::string source;
  /// False if the text could not be parsed at all: then there is nothing in `root` to check.
  bool parsed{false};
};

/// Missing file, folder, unreadable or oversized file: a problem of the file as a whole.
TomlFile read_toml_file(const std::string& path);
/// The same for a text; `name` stands for the path in problems.
TomlFile read_toml_text(std::string text, const std::string& name);

/// "toml11 3.7.1"
std::string toml_library();

}  // namespace sluice::daemon
