// What can be said about a TOML text without parsing it for meaning: whether it is harmless to
// parse, and where in it each key and value stands. Pure functions, any thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/problem.hpp"

namespace sluice::daemon {

/// Bounds on what is given to the parser, which recurses and looks back along lines.
inline constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxConfigLine = 4096;
inline constexpr std::size_t kMaxConfigDepth = 16;

/// The first thing that makes the text unfit for the parser (a line too long, nested too deeply,
/// not UTF-8, a NUL), if any. The problem's file is left empty.
std::optional<Problem> check_shape(std::string_view text);

/// The offset behind the string, of any of the four kinds, that begins at `at`; the end of the
/// text if the string is never closed (a one-line string ends with its line at the latest).
std::size_t skip_string(std::string_view text, std::size_t at);

/// Where the keys and values of a text stand. Only for texts that a parser has accepted; for
/// others the answer is unspecified, but safe. Depth is bounded by kMaxConfigDepth.
struct PlaceTree {
  Position at;      ///< of the value, or of the table's header
  Position key_at;  ///< of the key, for members of tables
  std::map<std::string, std::unique_ptr<PlaceTree>, std::less<>> members;
  std::vector<std::unique_ptr<PlaceTree>> items;
};
PlaceTree find_places(std::string_view text);

}  // namespace sluice::daemon
