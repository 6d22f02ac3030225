#include "daemon/config/config_node.hpp"

#include <algorithm>
#include <array>

namespace sluice::daemon {

const ConfigEntry* ConfigNode::find(std::string_view key) const {
  const Table* entries = table();
  if (entries == nullptr) return nullptr;
  const auto found = std::find_if(entries->begin(), entries->end(),
                                  [&](const ConfigEntry& entry) { return entry.key == key; });
  return found == entries->end() ? nullptr : &*found;
}

std::string_view ConfigNode::kind_name() const {
  static constexpr std::array<std::string_view, std::variant_size_v<Value>> kNames{
      "something unreadable", "a table",  "a list",       "a text",
      "a whole number",       "a number", "true or false"};
  return kNames[value.index()];
}

}  // namespace sluice::daemon
