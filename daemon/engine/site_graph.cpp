#include "daemon/engine/site_graph.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "pipeline/base/log.hpp"
#include "pipeline/base/text.hpp"
#include "pipeline/base/thrown.hpp"
#include "pipeline/graph/stream.hpp"
#include "pipeline/records/setting.hpp"

namespace sluice::daemon {

namespace {

/// Marks readings whose time is behind the watermark; they are processed all the same.
class FlagLate final : public ProcessFunction<Reading, Reading> {
 public:
  explicit FlagLate(std::uint64_t* count) : count_{count} {}
  void process_element(const Reading& reading, Context& context, Collector<Reading>& out) override {
    if (reading.time > context.timer_service().current_watermark()) {
      out.collect(reading);
      return;
    }
    Reading late = reading;
    late.quality = Quality::kLate;
    ++*count_;
    out.collect(late);
  }

 private:
  std::uint64_t* count_;
};

Stream<Reading> add_source(Environment& environment, const SourceConfig& source,
                           const TimeConfig& time, std::uint64_t& late_count) {
  auto strategy = WatermarkStrategy<Reading>::for_bounded_out_of_orderness(time.disorder)
                      .with_timestamp_assigner([](const Reading& r, Timestamp) { return r.time; })
                      .with_idleness(time.idle);
  return environment.from_source<Reading>(readings_source(source.name))
      .assign_timestamps_and_watermarks(std::move(strategy))
      .process<FlagLate>(&late_count)
      .uid("$source." + source.name);
}

Stream<Reading> readings_for(const MonitorConfig& monitor,
                             const std::map<std::string, Stream<Reading>>& sources) {
  std::vector<Stream<Reading>> chosen;
  for (const auto& [name, stream] : sources) {
    const auto& wanted = monitor.sources;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) {
      chosen.push_back(stream);
    }
  }
  Stream<Reading> all = chosen.front();
  for (std::size_t i = 1; i < chosen.size(); ++i) all = all.union_with(chosen[i]);
  return all;
}

bool wants(const std::vector<std::string>& patterns, const std::string& sensor) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const auto& p) {
           return glob_matches(p, sensor, QuestionMark::kAnyByte);
         });
}

std::string title_of(const MonitorConfig& monitor) {
  return "monitor '" + monitor.name + "' of kind '" + monitor.kind + "'";
}

/// The wall around a kind.
Result<Stream<Output>> build(const MonitorKind& kind, const MonitorInputs& inputs,
                             const MonitorConfig& monitor) {
  try {
    return kind.build(inputs, monitor.options);
  } catch (...) {
    return Error{ErrorCode::kInvalid, title_of(monitor) +
                                          " cannot be built: " + printable(thrown_words(), 300) +
                                          "; this is a bug of the kind, so use a version without "
                                          "it, or take the monitor out of the configuration"};
  }
}

/// What the operators from `first` on do, they do for this monitor: what fails in one of them is
/// its failure. Those without uid get a name that says so; it also keeps those of two monitors
/// apart.
Status take_over(Environment& environment, std::size_t first, const MonitorConfig& monitor,
                 MonitorsOfOperators& owners) {
  const std::string cure =
      ": end what build() makes with .uid(inputs.name), and further operators "
      "with .uid(inputs.name + \".something\")";
  for (std::size_t i = first; i < environment.nodes().size(); ++i) {
    auto& node = environment.nodes()[i];
    if (node.is_source) continue;
    if (node.uid.empty() && node.stateful) {
      return Error{ErrorCode::kInvalid, title_of(monitor) + ": its operator '" + node.name +
                                            "' may hold state and has no uid" + cure};
    }
    // No name of a monitor has a slash, so this is no other's uid.
    if (node.uid.empty()) node.name = monitor.name + "/" + node.name;
    const auto& known_as = node.uid.empty() ? node.name : node.uid;
    const auto [owner, fresh] = owners.emplace(known_as, monitor.name);
    if (fresh || (node.uid.empty() && owner->second == monitor.name)) continue;
    return Error{ErrorCode::kInvalid,
                 title_of(monitor) + ": the uid '" + printable(node.uid) + "' of its operator '" +
                     node.name + "' is used twice" +
                     (owner->second.empty() ? "" : ", also by monitor '" + owner->second + "'") +
                     cure};
  }
  return {};
}

}  // namespace

std::string readings_source(const std::string& source) { return "readings." + source; }
std::string settings_source(const std::string& monitor) { return "settings." + monitor; }

Result<MonitorsOfOperators> build_site_graph(
    Environment& environment, const Config& config, const Registry& registry,
    const SkippedMonitors& skipped, std::uint64_t& late,
    std::function<void(const MonitorConfig&, const Output&)> emit) {
  MonitorsOfOperators owners;
  std::map<std::string, Stream<Reading>> sources;
  for (const auto& source : config.sources) {
    sources.emplace(source.name, add_source(environment, source, config.time, late));
    owners.emplace(environment.nodes().back().uid, "");
  }
  for (const auto& monitor : config.monitors) {
    const std::size_t first = environment.nodes().size();
    auto readings = readings_for(monitor, sources).filter([&monitor, &skipped](const Reading& r) {
      return wants(monitor.sensors, r.sensor) && !skipped.contains(monitor.name);
    });
    MonitorInputs inputs{monitor.name, readings,
                         environment.from_source<Setting>(settings_source(monitor.name))};
    auto outputs = build(*registry.monitor(monitor.kind), inputs, monitor);
    if (!outputs) return std::move(outputs).error();
    outputs->sink_to([&monitor, emit](const Output& output) { emit(monitor, output); });
    SLUICE_RETURN_IF_ERROR(take_over(environment, first, monitor, owners));
  }
  return owners;
}

}  // namespace sluice::daemon
