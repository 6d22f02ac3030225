#include "pipeline/plugin/registry.hpp"

#include <algorithm>

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
              const char* what) {
  if (const auto* taken = find(entries, item.name())) {
    return Error{ErrorCode::kConflict, std::string{what} + " '" + std::string{item.name()} +
                                           "' of plugin '" + std::string{origin} +
                                           "' exists already, from plugin '" + taken->origin +
                                           "': remove one of the two plugins"};
  }
  entries.push_back({&item, std::string{origin}});
  return {};
}

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
  return add_to(formats_, format, origin, "format");
}

Status Registry::add(const MonitorKind& kind, std::string_view origin) {
  return add_to(monitors_, kind, origin, "monitor kind");
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
