// What names and topic prefixes in a configuration file may look like, and that they are unique.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "daemon/config/check.hpp"
#include "daemon/config/config_node.hpp"
#include "pipeline/base/result.hpp"

namespace sluice::daemon {

/// Names of sites, sources and monitors become topic levels, metric labels and folder names:
/// 1 to 64 of A-Z a-z 0-9 _ . -, and not "." or "..". `option` is what messages call it.
Status check_name(std::string_view option, std::string_view name);

/// A prefix of topics we publish to: no wildcards, no control characters, no '$' or '/' at the
/// start, no '/' at the end, no empty level, at most 200 bytes.
Status check_prefix(std::string_view prefix);

/// Finds names that two tables of one kind share.
class UniqueNames {
 public:
  /// `kind` as in "two sources are named …".
  UniqueNames(std::string_view kind, ProblemSink& problems) : kind_{kind}, problems_{problems} {}

  /// Reports a name that was there before, with the line of the first.
  void add(const std::string& name, const Position& at);

 private:
  std::string_view kind_;
  ProblemSink& problems_;
  std::map<std::string, Position> seen_;
};

}  // namespace sluice::daemon
