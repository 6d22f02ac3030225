// Checks one table of a configuration file against option tables, whatever the table is about.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/config_node.hpp"
#include "daemon/config/problem.hpp"
#include "pipeline/base/result.hpp"
#include "pipeline/plugin/options.hpp"

namespace sluice::daemon {

/// Collects what is wrong with one file.
class ProblemSink {
 public:
  ProblemSink(std::string file, Problems& problems) : file_{std::move(file)}, problems_{problems} {}

  void add(const Position& at, std::string message, std::string hint = {}) {
    problems_.push_back({file_, at, std::move(message), std::move(hint)});
  }
  std::size_t count() const { return problems_.size(); }

 private:
  std::string file_;
  Problems& problems_;
};

/// How strict to be about keys that no option table has.
enum class UnknownKeys { kRefuse, kIgnore };

/// The values of `table` that its options accept, and fallbacks for the rest. Everything else is a
/// problem: unknown keys (with a likely one), wrong types, ranges and choices, required options
/// that are missing. `what` names the table for messages, e.g. `[site]` or `[[source]] "levels"`.
/// A node that is no table gives a problem and the fallbacks.
Options check_table(const ConfigNode& table, std::string_view what,
                    std::span<const OptionSpec> specs, ProblemSink& problems,
                    UnknownKeys unknown = UnknownKeys::kRefuse);

/// Reports a failed cross-check of `table` at the option that its message names in quotes, else at
/// the table's header. Does nothing for success.
void check_status(const ConfigNode& table, std::string_view what, const Status& status,
                  ProblemSink& problems);

/// Where to point for a key of a table: its value, or the table's header if it is not there.
Position place_of(const ConfigNode& table, std::string_view key);

}  // namespace sluice::daemon
