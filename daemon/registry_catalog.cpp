#include "daemon/registry_catalog.hpp"

#include <utility>

#include "pipeline/base/log.hpp"
#include "pipeline/base/thrown.hpp"

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

/// The wall around what a plugin has to say to options: it may throw anything.
template <class F>
Status asked(std::string_view what, std::string_view name, F&& ask) {
  try {
    return ask();
  } catch (...) {
    return Error{ErrorCode::kInternal, "the " + std::string{what} + " '" + std::string{name} +
                                           "' failed when it was to check its options: " +
                                           printable(thrown_words(), 300) +
                                           "; this is a bug of the " + std::string{what}};
  }
}

}  // namespace

std::vector<KindEntry> RegistryCatalog::formats() const { return kinds_of(registry_.formats()); }

std::vector<KindEntry> RegistryCatalog::monitors() const { return kinds_of(registry_.monitors()); }

Status RegistryCatalog::check_format(std::string_view name, const Options& options) const {
  const Format* const format = registry_.format(name);
  if (format == nullptr) return unknown("format", name);
  // Only making a decoder looks at the paths and patterns in the options.
  return asked("format", name, [&]() -> Status {
    auto decoder = format->make_decoder(options);
    if (!decoder) return std::move(decoder).error();
    return {};
  });
}

Status RegistryCatalog::check_monitor(std::string_view name, const Options& options) const {
  const MonitorKind* const kind = registry_.monitor(name);
  if (kind == nullptr) return unknown("monitor kind", name);
  return asked("monitor kind", name, [&] { return kind->check(options); });
}

}  // namespace sluice::daemon
