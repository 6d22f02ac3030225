// ConfigNode: a parsed configuration file as a plain tree in which everything knows its place.
//
// It hides which library did the parsing (toml_reader.hpp). Value type, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "daemon/config/problem.hpp"

namespace sluice::daemon {

struct ConfigEntry;

struct ConfigNode {
  using Table = std::vector<ConfigEntry>;  ///< in the order of the file; keys are unique
  using Array = std::vector<ConfigNode>;
  /// A value that the reader has already reported as a problem; checks pass over it in silence.
  struct Refused {};
  using Value = std::variant<Refused, Table, Array, std::string, std::int64_t, double, bool>;

  Value value;
  Position at;  ///< of the value; of the header for a table that has one

  const Table* table() const { return std::get_if<Table>(&value); }
  const Array* array() const { return std::get_if<Array>(&value); }
  bool refused() const { return std::holds_alternative<Refused>(value); }
  /// The entry of a table by key; nullptr if there is none, or this is no table.
  const ConfigEntry* find(std::string_view key) const;
  /// "a table", "a list", "a text", …: completes "not …".
  std::string_view kind_name() const;
};

struct ConfigEntry {
  std::string key;
  Position key_at;
  ConfigNode value;
};

}  // namespace sluice::daemon
