// KindCatalog: what the configuration needs to know of formats, monitor kinds and the transport
// to check a file, and no more: their names and option tables, and their cross-checks.
//
// Checking a file thus builds no graph and opens no connection. Immutable; any thread.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "pipeline/base/result.hpp"
#include "pipeline/plugin/options.hpp"

namespace sluice::daemon {

/// One format or monitor kind.
struct KindEntry {
  std::string_view name;
  std::string_view help;  ///< one sentence, without full stop
  std::span<const OptionSpec> options;
};

class KindCatalog {
 public:
  virtual ~KindCatalog() = default;

  /// All known ones, in the order in which the reference lists them.
  virtual std::vector<KindEntry> formats() const = 0;
  virtual std::vector<KindEntry> monitors() const = 0;
  /// The options of the `[mqtt]` table.
  virtual std::span<const OptionSpec> mqtt_options() const = 0;

  /// What tables cannot say: options that exclude or need each other, malformed paths. A message
  /// that names an option in single quotes ('level') is shown at that option. `name` is known.
  virtual Status check_format(std::string_view name, const Options& options) const = 0;
  virtual Status check_monitor(std::string_view name, const Options& options) const = 0;
  virtual Status check_mqtt(const Options& options) const = 0;
  /// Whether the text is a topic filter that a broker would accept.
  virtual Status check_topic_filter(std::string_view filter) const = 0;
};

/// The formats, kinds and transport that are part of this program.
const KindCatalog& builtin_catalog();

}  // namespace sluice::daemon
