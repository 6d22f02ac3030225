// RegistryCatalog: the configuration's view of a registry, and of a transport beside it.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "daemon/config/catalog.hpp"
#include "pipeline/plugin/registry.hpp"

namespace sluice::daemon {

/// What the configuration needs to know of the transport.
struct TransportChecks {
  std::span<const OptionSpec> options;
  std::function<Status(const Options&)> check;
  std::function<Status(std::string_view filter)> check_topic_filter;
};

/// Shows whatever is in `registry` at the time of asking, so plugins may be loaded in between.
/// `registry` must outlive it.
class RegistryCatalog final : public KindCatalog {
 public:
  RegistryCatalog(const Registry& registry, TransportChecks transport)
      : registry_{registry}, transport_{std::move(transport)} {}

  std::vector<KindEntry> formats() const override;
  std::vector<KindEntry> monitors() const override;
  std::span<const OptionSpec> mqtt_options() const override { return transport_.options; }

  Status check_format(std::string_view name, const Options& options) const override;
  Status check_monitor(std::string_view name, const Options& options) const override;
  Status check_mqtt(const Options& options) const override { return transport_.check(options); }
  Status check_topic_filter(std::string_view filter) const override {
    return transport_.check_topic_filter(filter);
  }

 private:
  const Registry& registry_;
  TransportChecks transport_;
};

}  // namespace sluice::daemon
