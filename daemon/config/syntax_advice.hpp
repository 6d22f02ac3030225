// Says in plain words what is wrong with a line that the TOML parser refuses.
#pragma once

#include <string>
#include <string_view>

#include "daemon/config/problem.hpp"

namespace sluice::daemon {

/// The problem at or near `at`, where the parser stopped. The usual slips (no quotes, an open
/// quote or bracket, no '=', a key twice) are named; else the parser's own first line is used.
Problem advise_on_syntax(std::string_view source, Position at, std::string_view parser_says);

}  // namespace sluice::daemon
