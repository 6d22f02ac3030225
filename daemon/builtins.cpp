#include "daemon/builtins.hpp"

#include <stdexcept>

#include "pipeline/plugin/descriptor.hpp"
#include "plugins/formats/formats.hpp"
#include "plugins/mqtt/mqtt.hpp"
#include "plugins/mqtt/topic_filter.hpp"
#include "plugins/water/water.hpp"

namespace sluice::daemon {

namespace {

Status contribute_formats(Contribution& contribution) {
  for (const Format* format :
       {&formats::json_format(), &formats::text_format(), &formats::csv_format()}) {
    SLUICE_RETURN_IF_ERROR(contribution.add(*format));
  }
  return {};
}

Status contribute_water(Contribution& contribution) {
  for (const MonitorKind* kind : water::water_monitors()) {
    SLUICE_RETURN_IF_ERROR(contribution.add(*kind));
  }
  return {};
}

/// The same descriptors and the same checks as for loaded plugins.
void add_builtins(Registry& registry) {
  static constexpr PluginDescriptor kBuiltins[] = {
      describe_plugin<&contribute_formats>("formats", SLUICE_VERSION),
      describe_plugin<&contribute_water>("water", SLUICE_VERSION)};
  for (const auto& descriptor : kBuiltins) {
    if (auto status = contribute(descriptor, registry); !status) {
      throw std::logic_error{"a built-in plugin is broken: " + status.error().message()};
    }
  }
}

TransportChecks mqtt_checks() {
  return {mqtt::mqtt_options(),
          [](const Options& options) -> Status {
            auto checked = mqtt::from(options);
            if (!checked) return std::move(checked).error();
            return {};
          },
          [](std::string_view filter) { return mqtt::check_filter(filter); }};
}

}  // namespace

std::unique_ptr<Kinds> load_kinds(const std::string& config_path, Log& log) {
  auto kinds = std::make_unique<Kinds>();
  add_builtins(kinds->registry);
  if (!config_path.empty()) {
    kinds->plugins =
        load_plugins(plugins_of(config_path), PluginTrust::of_this_process(), kinds->registry, log);
  }
  kinds->catalog = std::make_unique<RegistryCatalog>(kinds->registry, mqtt_checks());
  return kinds;
}

const KindCatalog& builtin_catalog() {
  static Registry registry;
  static const RegistryCatalog catalog = [] {
    add_builtins(registry);
    return RegistryCatalog{registry, mqtt_checks()};
  }();
  return catalog;
}

}  // namespace sluice::daemon
