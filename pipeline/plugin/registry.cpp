#include "pipeline/plugin/registry.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "pipeline/base/log.hpp"
#include "pipeline/base/text.hpp"
#include "pipeline/plugin/options.hpp"

namespace sluice {

namespace {

template <class T>
const Registry::Entry<T>* find(const std::vector<Registry::Entry<T>>& entries,
                               std::string_view name) {
  const auto it = std::find_if(entries.begin(), entries.end(),
                               [&](const auto& e) { return e.item->name() == name; });
  return it == entries.end() ? nullptr : &*it;
}

template <class T>
Status add_to(std::vector<Registry::Entry<T>>& entries, const T& item, std::string_view origin,
              const char* what, std::span<const std::string_view> reserved) {
  if (const auto* taken = find(entries, item.name())) {
    return Error{ErrorCode::kConflict, std::string{what} + " '" + std::string{item.name()} +
                                           "' of plugin '" + std::string{origin} +
                                           "' exists already, from plugin '" + taken->origin +
                                           "': remove one of the two plugins"};
  }
  if (!is_plain_name(item.name())) {
    return Error{ErrorCode::kInvalid, std::string{what} + " '" + printable(item.name()) +
                                          "' must be named with 1 to 64 of A-Z a-z 0-9 _ . -"};
  }
  if (auto status = check_option_table(item.options(), reserved); !status) {
    return std::move(status).error().with_context(std::string{what} + " '" +
                                                  std::string{item.name()} + "'");
  }
  entries.push_back({&item, std::string{origin}});
  return {};
}

/// What every [[source]] and [[monitor]] has, whatever its format or kind.
constexpr std::array<std::string_view, 4> kOfSources{"name", "topic", "qos", "format"};
constexpr std::array<std::string_view, 6> kOfMonitors{"name",    "kind", "sources",
                                                      "sensors", "qos",  "retain"};

}  // namespace

Status Registry::add_plugin(Plugin plugin) {
  const auto taken = std::find_if(plugins_.begin(), plugins_.end(),
                                  [&](const Plugin& p) { return p.name == plugin.name; });
  if (taken != plugins_.end()) {
    return Error{ErrorCode::kConflict, "there is a plugin '" + plugin.name + "' already (" +
                                           taken->from + "): remove one of the two"};
  }
  plugins_.push_back(std::move(plugin));
  return {};
}

Status Registry::add(const Format& format, std::string_view origin) {
  return add_to(formats_, format, origin, "format", kOfSources);
}

Status Registry::add(const MonitorKind& kind, std::string_view origin) {
  return add_to(monitors_, kind, origin, "monitor kind", kOfMonitors);
}

const Format* Registry::format(std::string_view name) const {
  const auto* entry = find(formats_, name);
  return entry == nullptr ? nullptr : entry->item;
}

const MonitorKind* Registry::monitor(std::string_view name) const {
  const auto* entry = find(monitors_, name);
  return entry == nullptr ? nullptr : entry->item;
}

}  // namespace sluice
