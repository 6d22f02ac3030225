// The words for levels of the log, in the file and on the command line. Pure functions, any thread.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "pipeline/base/log.hpp"

namespace sluice::daemon {

/// In the order of LogLevel.
inline constexpr std::string_view kLogLevelWords = "debug|info|warning|error";

inline std::optional<LogLevel> log_level_from_word(std::string_view word) {
  std::string_view rest = kLogLevelWords;
  for (int level = 0; !rest.empty(); ++level) {
    const std::string_view known = rest.substr(0, rest.find('|'));
    if (word == known) return static_cast<LogLevel>(level);
    rest.remove_prefix(std::min(known.size() + 1, rest.size()));
  }
  return std::nullopt;
}

}  // namespace sluice::daemon
