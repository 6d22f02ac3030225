#include "daemon/registry_catalog.hpp"

namespace sluice::daemon {

namespace {

template <class T>
std::vector<KindEntry> kinds_of(const std::vector<Registry::Entry<T>>& entries) {
  std::vector<KindEntry> out;
  out.reserve(entries.size());
  for (const auto& entry : entries) {
    out.push_back({entry.item->name(), entry.item->help(), entry.item->options()});
  }
  return out;
}

Error unknown(std::string_view what, std::string_view name) {
  return {ErrorCode::kNotFound, "there is no " + std::string{what} + " '" + std::string{name} +
                                    "': `sluice plugins` lists all"};
}

}  // namespace

std::vector<KindEntry> RegistryCatalog::formats() const { return kinds_of(registry_.formats()); }

std::vector<KindEntry> RegistryCatalog::monitors() const { return kinds_of(registry_.monitors()); }

Status RegistryCatalog::check_format(std::string_view name, const Options& options) const {
  const Format* const format = registry_.format(name);
  if (format == nullptr) return unknown("format", name);
  // Only making a decoder looks at the paths and patterns in the options.
  const auto decoder = format->make_decoder(options);
  return decoder ? Status::ok() : Status{decoder.error()};
}

Status RegistryCatalog::check_monitor(std::string_view name, const Options& options) const {
  const MonitorKind* const kind = registry_.monitor(name);
  return kind == nullptr ? Status{unknown("monitor kind", name)} : kind->check(options);
}

}  // namespace sluice::daemon
