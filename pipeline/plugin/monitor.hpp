// A monitor kind (delta, top, threshold, …): from readings to outputs, as a piece of the stream
// graph. This is what a plugin's author writes; docs/writing-a-plugin.md walks through one.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pipeline/base/datum.hpp"
#include "pipeline/base/result.hpp"
#include "pipeline/graph/stream.hpp"
#include "pipeline/plugin/options.hpp"
#include "pipeline/records/output.hpp"
#include "pipeline/records/reading.hpp"
#include "pipeline/records/setting.hpp"

namespace sluice {

/// What the daemon gives to build one `[[monitor]]` from.
struct MonitorInputs {
  std::string name;          ///< the monitor's name: use it as uid of the stateful operator
  Stream<Reading> readings;  ///< with event time and watermarks assigned
  Stream<Setting> settings;  ///< those of this monitor only, in the order they were accepted
};

/// Immutable; one object serves all monitors of the kind. Called while the graph is built.
class MonitorKind {
 public:
  virtual ~MonitorKind() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view help() const = 0;
  /// Beside the options that every monitor has (name, kind, sensors, …).
  virtual std::span<const OptionSpec> options() const = 0;

  /// What the table cannot say: options that exclude or need each other.
  virtual Status check(const Options&) const { return Status::ok(); }

  /// Checks a setting from the config topic and brings it into the form that build()'s operators
  /// expect. The error's message goes to the sender: say what was wrong and what would be right.
  virtual Result<Datum> check_setting(const Datum& value, const Options& options) const;

  /// Adds the monitor's operators to the graph. May throw only for bugs.
  virtual Stream<Output> build(const MonitorInputs& inputs, const Options& options) const = 0;
};

}  // namespace sluice
